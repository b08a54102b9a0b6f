import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeEach, expect, it } from "vitest";
import { withNeededPrograms } from "../state/needed-programs.ts";
import { queueBackfill } from "../state/backfills.ts";
import { described } from "../core/described.fixture.ts";
import { testScheduler } from "../state/scheduler.fixture.ts";
import { registerPipeline } from "../state/registration.ts";
import { checkKept, keepProgram, programsFolder, removeUnneeded } from "./kept-programs.ts";

const work = mkdtempSync(join(tmpdir(), "orca-kept-"));
afterAll(() => rmSync(work, { recursive: true }));
const folder = programsFolder(join(work, "programs"), "7-1");
const LATER = new Date(Date.now() + 2 * 3_600_000);
beforeEach(() => rmSync(folder.kept, { recursive: true, force: true }));

async function kept(text: string, name = "lake"): Promise<string> {
  const file = join(work, name);
  writeFileSync(file, text);
  return await keepProgram(file, folder);
}

it("programs that nothing needs are removed when they are old, and what was cut off while it was copied", async () => {
  const [needed, unneeded] = [await kept("a"), await kept("b")];
  writeFileSync(`${needed}.2f1c`, "");
  expect(await removeUnneeded(folder, new Set([needed]), new Date())).toBe(0); // they may be about to be registered
  expect(await removeUnneeded(folder, new Set([needed]), LATER)).toBe(2);
  expect(existsSync(unneeded)).toBe(false);
  expect(readdirSync(folder.kept)).toHaveLength(1);
  await expect(checkKept(unneeded)).rejects.toMatchObject({ code: "not-a-program" });
  await checkKept(needed);
});

it("a copy's name has no ending, which Node would go by", async () => {
  writeFileSync(join(work, "package.json"), '{ "type": "module" }');
  const file = await kept("#!/usr/bin/env node\nconsole.log(typeof import.meta.url)", "lake.v2.js");
  expect(execFileSync(file, { encoding: "utf8" })).toBe("string\n");
});

it("a copy that is kept again is as young as a new one, and the same to processes that have it", async () => {
  const first = await kept("a");
  const before = statSync(first);
  expect(await kept("a")).toBe(first);
  const after = statSync(first);
  expect([after.ino, after.mtimeMs]).toEqual([before.ino, before.mtimeMs]);
  expect(after.ctimeMs).toBeGreaterThan(before.ctimeMs);
});

it("what Node has compiled goes after a month", async () => {
  const file = join(folder.compiled, "v24-x64", "1f2e");
  mkdirSync(join(file, ".."), { recursive: true });
  writeFileSync(file, "");
  await removeUnneeded(folder, new Set(), LATER);
  expect(existsSync(file)).toBe(true);
  await removeUnneeded(folder, new Set(), new Date(Date.now() + 31 * 86_400_000));
  expect(existsSync(file)).toBe(false);
});

it("needed are the programs of registered pipelines, and of runs that go on with one that was replaced", async () => {
  await using scheduler = await testScheduler();
  const { database, register } = scheduler;
  const needed = async () => await withNeededPrograms(database, async (all) => [...all].toSorted());
  await register("lake", {}, undefined, { program: "/old" });
  const days = { asked: "x", keys: ["2024-01-01"], isRerun: false, isReversed: false, actor: "me", isDry: false };
  await queueBackfill(database, { pipeline: "lake", maxRuns: undefined, ...days });
  const [launch] = await scheduler.take();
  await register("lake", { hash: "0x2" }, undefined, { program: "/new" });
  expect(await needed()).toEqual(["/new", "/old"]);
  await scheduler.end(launch!.run);
  expect(await needed()).toEqual(["/new"]);
});

it("none is removed while it is registered: a registration waits, and sees that it is gone", async () => {
  await using scheduler = await testScheduler();
  const program = await kept("a");
  const registering = (check: (file: string) => Promise<void>) =>
    registerPipeline(scheduler.database, {
      description: described("lake"),
      program,
      check,
      seen: [],
      notifyUrl: undefined,
      now: new Date(),
      actor: "me",
    });
  let registration: Promise<unknown> = Promise.resolve();
  await withNeededPrograms(scheduler.database, async (needed) => {
    registration = registering(checkKept);
    registration.catch(() => {});
    const waiting = "select from pg_locks where locktype = 'advisory' and not granted";
    while ((await scheduler.test.sql(waiting)).length === 0);
    expect(await removeUnneeded(folder, needed, LATER)).toBe(1);
  });
  await expect(registration).rejects.toThrow("was removed while it was being registered");
  await kept("a");
  await registering(checkKept);
  expect(await withNeededPrograms(scheduler.database, (needed) => removeUnneeded(folder, needed, LATER))).toBe(0);
});
