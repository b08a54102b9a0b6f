import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { call, callOrca, start, workFolder } from "./programs.ts";

const work = workFolder();
const toy = path.join(work.path, "toy");
const keyed = path.join(work.path, "misbehave");

beforeAll(async () => {
  const examples = path.resolve(import.meta.dirname, "../../examples");
  await callOrca(["build", path.join(examples, "toy.ts"), "-o", toy]);
  await callOrca(["build", path.join(import.meta.dirname, "fixtures/misbehave.ts"), "-o", keyed]);
});
afterAll(() => work[Symbol.dispose]());

describe("a program's mistaken call exits with 2 and one sentence:", () => {
  it.each([
    ["descibe", "unknown command 'descibe' (Did you mean describe?)"],
    ["xyz", "unknown command 'xyz'"],
    ["run", "run needs --partitions: write months such as 2024-01 or 2024-01..2024-02"],
    ["run --partition 2024-01", "unknown option '--partition' (Did you mean --partitions?)"],
    ["run --partitions", "option '--partitions <list>' argument missing"],
    ["run --partitions 2024-01 2024-02", "too many arguments for 'run'. Expected 0 arguments but got 1: 2024-02."],
    ["run --partitions 2024-13", "'2024-13' isn't a month: write YYYY-MM, such as 2024-01"],
    ["run --partitions 2024-01-31", "'2024-01-31' isn't a month: write YYYY-MM, such as 2024-01"],
    ["run --partitions 2024-03..2024-01", "'2024-03..2024-01' is reversed: write 2024-01..2024-03"],
    ["run --partitions 2023-12", "2023-12 is before the first partition of 'toy', 2024-01"],
    ["run --partitions=", "no partitions are given: write months such as 2024-01 or 2024-01..2024-02"],
    ["run --partitions 2024-01 --concurrency 0", "--concurrency is '0': it takes a whole number from 1 to 10000"],
    ["run --partitions 2024-01 --concurrency many", "--concurrency is 'many': it takes a whole number from 1 to 10000"],
    ["run --partitions 2024-01 --concurrency 1e1", "--concurrency is '1e1': it takes a whole number from 1 to 10000"],
    ["fires 0x10", "'0x10' isn't how many fires to list: give a number from 1 to 10000"],
    ["fires 0", "'0' isn't how many fires to list: give a number from 1 to 10000"],
    ["fires ten", "'ten' isn't how many fires to list: give a number from 1 to 10000"],
    ["fires --after yesterday", "'yesterday' isn't an instant: write --after 2024-01-31T09:30:00Z"],
    [
      "fires --after 2024-02-30T00:00:00Z",
      "'2024-02-30T00:00:00Z' isn't an instant: write --after 2024-01-31T09:30:00Z",
    ],
  ])("%s", async (words, sentence) => {
    expect(await call(toy, words.split(" "))).toEqual({
      code: 2,
      signal: null,
      stdout: "",
      stderr: `error: ${sentence}\n`,
    });
  });

  it.each(["soon", "ftp://host/x", "http://", ""])("register --notify '%s'", async (url) => {
    const ended = await callOrca(["register", "x", "--notify", url]);
    const sentence = `--notify is '${url}': it takes a URL, such as https://example.com/runs`;
    expect(ended).toEqual({ code: 2, signal: null, stdout: "", stderr: `error: ${sentence}\n` });
  });

  it.each([
    ["a b", "'a b' isn't a name: use 1 to 128 letters, digits and ._:-"],
    ["x".repeat(129), `'${"x".repeat(129)}' isn't a name: use 1 to 128 letters, digits and ._:-`],
    ["..", "'..' can't stand in a list: names have no ranges, and those with two dots are given by @file:<path>"],
    ["", "no partitions are given: write names with commas between them, @all, or @file:<path>"],
    ["@file:none", "the file of keys 'none' can't be read: ENOENT: no such file or directory, open 'none'"],
    [
      "--json",
      "option '--partitions <list>' argument '--json' is invalid. It is an option: the value is missing before it.",
    ],
    [
      "@all",
      "set ORCA_WAREHOUSE, so that there is a warehouse with test.keys: a folder, s3://bucket/prefix or rest+https://…",
    ],
  ])("run --partitions '%s' of a keyed pipeline", async (list, sentence) => {
    const ended = await call(keyed, ["run", "--partitions", list], { cwd: work.path });
    expect(ended).toMatchObject({ code: 2, stdout: "", stderr: `error: ${sentence}\n` });
  });

  it.each([
    [{ ORCA_GRACE_SECONDS: "soon" }, "ORCA_GRACE_SECONDS is 'soon': it takes a number of seconds from 0 to 86400"],
    [{ ORCA_GRACE_SECONDS: "-1" }, "ORCA_GRACE_SECONDS is '-1': it takes a number of seconds from 0 to 86400"],
    [{ ORCA_GRACE_SECONDS: "1e1" }, "ORCA_GRACE_SECONDS is '1e1': it takes a number of seconds from 0 to 86400"],
    [{ ORCA_NOW: "now" }, "ORCA_NOW is 'now': it takes an instant such as 2024-01-31T09:30:00Z"],
    [{ ORCA_LOGS: "gs://bucket/logs" }, "ORCA_LOGS is 'gs://bucket/logs': it takes a folder or s3://bucket/prefix"],
    [{ ORCA_DIRTY: "yes" }, "ORCA_DIRTY is 'yes': it takes 0 or 1"],
    [
      { ORCA_WAREHOUSE: "gs://me:secret@bucket" },
      "ORCA_WAREHOUSE is 'gs://…@bucket': it takes a folder, s3://bucket/prefix or rest+https://…",
    ],
  ])("any command, with %o", async (env, sentence) => {
    for (const words of [["run", "--partitions", "2024-01"], ["describe"], ["fires"]])
      expect(await call(toy, words, { env })).toMatchObject({ code: 2, stdout: "", stderr: `error: ${sentence}\n` });
  });

  it("a variable that is set to nothing is unset", async () => {
    const env = { ORCA_GRACE_SECONDS: "", ORCA_NOW: "", ORCA_DIRTY: "" };
    expect(await call(toy, ["describe"], { env })).toMatchObject({ code: 0, stderr: "" });
  });
});

it("a variable that isn't known is warned about, with the nearest that is", async () => {
  const env = { ORCA_GRACE_SECOND: "1", ORCA_XYZ: "1" };
  for (const words of [["run", "--partitions", "2024-01"], ["describe"], ["fires"]])
    expect(await call(toy, words, { env })).toMatchObject({
      code: 0,
      stderr:
        "warning: ORCA_GRACE_SECOND isn't a variable of Orca's: did you mean ORCA_GRACE_SECONDS?\nwarning: ORCA_XYZ isn't a variable of Orca's\n",
    });
});

it("no words show the help, and exit with 2", async () => {
  const { code, stdout, stderr } = await call(toy, []);
  expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
  expect(stderr).toMatch(/^Usage: toy /);
});

describe("--help", () => {
  it.each(["--help", "run --help", "fires --help", "describe -h"])("%s exits with 0", async (words) => {
    const { code, stdout, stderr } = await call(toy, words.split(" "));
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(stdout).toMatch(/^Usage: toy /);
  });
});

describe("fires", () => {
  it("lists when a pipeline is due next, and what each fire fills", async () => {
    const { code, stdout } = await call(toy, ["fires", "3", "--after", "2023-12-15T00:00:00Z"]);
    expect(code).toBe(0);
    expect(stdout).toBe(
      "2024-01-02T03:00:00Z  fills nothing\n2024-02-02T03:00:00Z  fills 2024-01\n2024-03-02T03:00:00Z  fills 2024-02\n",
    );
  });

  it("before the first year there is fills nothing", async () => {
    expect(await call(toy, ["fires", "1", "--after", "0000-01-01T00:00:00Z"])).toMatchObject({
      code: 0,
      stdout: "0000-01-02T03:00:00Z  fills nothing\n",
    });
  });

  it("counts from ORCA_NOW, and gives JSON", async () => {
    const { stdout } = await call(toy, ["fires", "1", "--json"], { env: { ORCA_NOW: "2024-03-02T03:00:00Z" } });
    expect(JSON.parse(stdout)).toEqual([{ at: "2024-04-02T03:00:00Z", fills: "2024-03" }]);
  });

  it("of a pipeline without a schedule are none", async () => {
    expect(await call(keyed, ["fires"])).toMatchObject({ code: 0, stdout: "misbehave has no schedule\n", stderr: "" });
    expect(await call(keyed, ["fires", "--json"])).toMatchObject({ code: 0, stdout: "[]\n" });
  });
});

describe("describe", () => {
  it("is the same each time, and goes on when nobody reads it", async () => {
    const [first, second] = [await call(toy, ["describe"]), await call(toy, ["describe"])];
    expect(first).toEqual(second);
    expect(JSON.parse(first.stdout)).toMatchObject({
      pipeline: "toy",
      hash: expect.stringMatching(/^0x[0-9a-f]{16}$/),
      partitions: { kind: "monthly", start: "2024-01" },
      schedule: { cron: "0 3 2 * *", timeZone: "UTC" },
      fills: "previous",
      steps: [
        { name: "days", kind: "mapped", after: [] },
        { name: "measure", after: ["days"], retries: 2, timeoutSeconds: 600 },
        { name: "total", kind: "gather", after: ["measure"] },
      ],
      source: { locations: { steps: { measure: { file: "examples/toy.ts" } } } },
    });
    const unread = start(toy, ["describe"]);
    unread.process.stdout!.destroy();
    expect(await unread.ended).toMatchObject({ code: 0, stderr: "" });
  });
});
