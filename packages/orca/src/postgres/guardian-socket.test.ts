import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import type { Server } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { claim, connect, highestNumber, removeOldSockets } from "./guardian-socket.ts";

let home = "";
const servers: Server[] = [];
beforeEach(() => void (home = mkdtempSync(path.join(tmpdir(), "orca-socket-"))));
afterEach(() => {
  for (const server of servers.splice(0)) server.close();
  rmSync(home, { recursive: true });
});

async function claimed(number: number): Promise<Server | undefined> {
  const server = await claim(home, number);
  if (server !== undefined) servers.push(server);
  return server;
}

async function isAlive(number: number): Promise<boolean> {
  const socket = await connect(home, number);
  socket?.destroy();
  return socket !== undefined;
}

it("gives a number to one of 50 who want it at once", async () => {
  const all = await Promise.all(Array.from({ length: 50 }, () => claimed(1)));
  expect(all.filter((server) => server !== undefined)).toHaveLength(1);
  expect(await isAlive(1)).toBe(true);
});

it("finds nobody on a number whose guardian has ended, and leaves its file there", async () => {
  (await claimed(1))!.close();
  expect(await isAlive(1)).toBe(false);
  expect(highestNumber(home)).toBe(1);
  expect([await claimed(1), (await claimed(2))?.listening]).toEqual([undefined, true]);
});

it("gives nobody a number below the highest, though its file was removed", async () => {
  (await claimed(1))!.close();
  await claimed(2);
  removeOldSockets(home, 2);
  expect(readdirSync(home).filter((name) => name.endsWith(".sock"))).toEqual(["guardian-2.sock"]);
  expect(await claimed(1)).toBeUndefined();
  expect([highestNumber(home), await isAlive(2), await isAlive(1)]).toEqual([2, true, false]);
});

it("counts numbers as numbers", async () => {
  await claimed(9);
  await claimed(10);
  expect(highestNumber(home)).toBe(10);
});
