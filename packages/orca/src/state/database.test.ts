import { createServer, type AddressInfo } from "node:net";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { testDatabase, type TestDatabase } from "../../../../tests/postgres.ts";
import { Database } from "./database.ts";

let test: TestDatabase;
beforeAll(async () => void (test = await testDatabase()));
afterAll(async () => await test[Symbol.asyncDispose]());

const one = { name: "one", text: "select 1 as n" };

/** What a server says that lets a client in, is ready, and ends: in one packet. */
const READY_AND_GONE = "R\0\0\0\x08\0\0\0\0Z\0\0\0\x05IE\0\0\0\x19SFATAL\0C57P01\0Mgone\0\0";

function open(url: string, patienceMs: number) {
  const warnings: string[] = [];
  return {
    database: new Database(url, { patienceMs, warn: (sentence) => warnings.push(sentence), connections: 1 }),
    warnings,
  };
}

/** The process of the server's that sleeps, once there is another one than that. */
async function pidBesides(other: number): Promise<number> {
  for (;;) {
    const [row] = await test.sql<{ pid: number }>(
      "select pid from pg_stat_activity where query like 'select pg_sleep%' and state = 'active' and pid <> $1",
      [other],
    );
    if (row !== undefined) return row.pid;
  }
}

/** The same server, asked for otherwise. */
function urlWith(change: (url: URL) => void): string {
  const url = new URL(test.url);
  change(url);
  return url.href;
}

describe("a database", () => {
  it("that ends the connection is connected to again, and asked again", async () => {
    const { database, warnings } = open(test.url, 10_000);
    const slow = database.query({ name: "slow", text: "select pg_sleep(case when $1 then 60 else 0 end)" }, [true]);
    const ended = slow.catch((error: Error) => error);
    const first = await pidBesides(0);
    const asked = database.query(one, []);
    await test.sql("select pg_terminate_backend($1)", [first]);
    await test.sql("select pg_cancel_backend($1)", [await pidBesides(first)]); // it is asked again
    expect(await ended).toMatchObject({ message: "canceling statement due to user request" });
    expect(await asked).toEqual([{ n: 1 }]);
    expect(warnings[0]).toMatch(/^the database is out of reach, and is tried again: /);
    await database[Symbol.asyncDispose]();
  });

  it("that stays away is given up when patience is over", async () => {
    const { database, warnings } = open("postgresql://localhost:1/x", 50);
    await expect(database.query(one, [])).rejects.toMatchObject({
      code: "database-unreachable",
      message: expect.stringMatching(/^the database can't be reached: .*ECONNREFUSED/),
    });
    expect(warnings).toHaveLength(1);
    await database[Symbol.asyncDispose]();
  });

  it("leaves nothing of a transaction that fails, and its connection fit for the next", async () => {
    const { database } = open(test.url, 0);
    await test.sql("create table t (n int)");
    await expect(
      database.transaction(async (client) => {
        await client.query("insert into t values (1)");
        throw new Error("no");
      }),
    ).rejects.toThrow("no");
    await database.transaction(async (client) => void (await client.query("insert into t values (2)")));
    expect(await test.sql("select n from t")).toEqual([{ n: 2 }]);
    await database[Symbol.asyncDispose]();
  });

  it("that ends a connection between two statements of a transaction is asked for all of it again", async () => {
    const { database } = open(test.url, 10_000);
    let tries = 0;
    const done = await database.transaction(async (client) => {
      const { rows } = await client.query<{ pid: number }>("select pg_backend_pid() as pid");
      if (tries++ === 0) {
        const ended = new Promise((resolve) => client.once("end", resolve));
        await test.sql("select pg_terminate_backend($1)", [rows[0]!.pid]);
        await ended;
      }
      return (await client.query("select 1 as n")).rows;
    });
    expect([tries, done]).toEqual([2, [{ n: 1 }]]);
    await database[Symbol.asyncDispose]();
  });

  it("that ends a connection in the moment it is made is out of reach", async () => {
    const server = createServer((socket) => void socket.once("data", () => socket.end(READY_AND_GONE))).listen(0);
    const { database } = open(`postgresql://x@127.0.0.1:${(server.address() as AddressInfo).port}/x`, 0);
    await expect(database.transaction(async () => {})).rejects.toMatchObject({ code: "database-unreachable" });
    await database[Symbol.asyncDispose]();
    server.close();
  });

  it.each([
    ["isn't there", () => urlWith((url) => void (url.pathname = "/none")), "there is no such database on the server"],
    ["has no such user", () => urlWith((url) => void (url.username = "nobody")), "the database doesn't"],
    ["is nowhere", () => "postgresql://no.such.host.invalid/x", "the database can't be reached: "],
  ])("that %s is refused in a sentence", async (_what, url, sentence) => {
    const { database } = open(url(), 0);
    await expect(database.query(one, [])).rejects.toMatchObject({ message: expect.stringContaining(sentence) });
    await database[Symbol.asyncDispose]();
  });
});
