import { chmodSync, existsSync } from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { call, callOrca, workFolder } from "./programs.ts";

const work = workFolder();
const home = path.join(work.path, "pg");
const orca = (...words: string[]) => callOrca(words, { cwd: work.path, env: { ORCA_DATABASE_URL: "embedded:pg" } });

beforeAll(() => chmodSync(work.path, 0o755)); // as root, Postgres's account must get through it
afterAll(async () => {
  await orca("postgres", "stop");
  work[Symbol.dispose]();
});

describe("orca postgres", () => {
  it("starts, names and stops the server in the folder of ORCA_DATABASE_URL, or of its argument", async () => {
    const url = `postgres://orca@localhost/postgres?host=${encodeURIComponent(path.join(home, "data"))}`;
    expect(await orca("postgres", "start")).toMatchObject({ code: 0, stdout: `${url}\n`, stderr: "" });
    expect(await orca("postgres", "start", "--json")).toMatchObject({ code: 0, stdout: json({ url, users: 0 }) });
    expect(await callOrca(["postgres", "url", home])).toMatchObject({ code: 0, stdout: `${url}\n`, stderr: "" });
    expect(await orca("postgres", "url", "--json")).toMatchObject({ code: 0, stdout: json({ url, users: 0 }) });
    expect(await orca("postgres", "stop")).toMatchObject({ code: 0, stdout: `stopped the server in ${home}\n` });
    expect(await orca("postgres", "stop")).toMatchObject({ code: 0, stdout: `no server runs in ${home}\n` });
    expect(await orca("postgres", "stop", "--json")).toMatchObject({
      code: 0,
      stdout: json({ stopped: false, users: 0 }),
    });
    expect(await orca("postgres", "url")).toMatchObject({
      code: 6,
      stdout: "",
      stderr: `error: no server runs in ${home}: start it with orca postgres start ${home}\n`,
    });
  });

  it("doesn't make a folder to look whether a server runs in it", async () => {
    const none = path.join(work.path, "none");
    expect((await callOrca(["postgres", "stop", none])).code).toBe(0);
    expect(existsSync(none)).toBe(false);
  });

  it.each([
    [["postgres", "url"], {}, "no folder is named: give one, or set ORCA_DATABASE_URL=embedded:<folder>"],
    [
      ["postgres", "url"],
      { ORCA_DATABASE_URL: "mysql://me:secret@host/orca" },
      "ORCA_DATABASE_URL is 'mysql://…@host/orca': it takes postgresql://… or embedded:<folder>",
    ],
    [["postgres", "strat"], {}, "unknown command 'strat' (Did you mean start?)"],
  ])("%j with %j exits with 2 and one sentence", async (words, env, sentence) => {
    expect(await callOrca(words, { cwd: work.path, env })).toMatchObject({
      code: 2,
      stdout: "",
      stderr: `error: ${sentence}\n`,
    });
  });

  it("shows its commands when none is given", async () => {
    const { code, stderr } = await callOrca(["postgres"]);
    expect([code, stderr.split("\n")[0]]).toEqual([2, "Usage: orca postgres [options] [command]"]);
  });
});

describe("a built file with ORCA_DATABASE_URL=embedded:<folder>", () => {
  const program = path.join(work.path, "toy");
  const calling = { cwd: work.path, env: { ORCA_DATABASE_URL: "embedded:pg2" } };

  it("records its runs in a server that it starts itself, with programs that are near it", async () => {
    await callOrca(["build", path.resolve(import.meta.dirname, "../../examples/toy.ts"), "-o", program]);
    const ran = await call(program, ["run", "--partitions", "2024-01"], calling);
    expect({ code: ran.code, stderr: ran.stderr }).toEqual({ code: 0, stderr: "" });
    expect(existsSync(path.join(work.path, "pg2/guardian.mjs"))).toBe(true);
    const runs = await callOrca(["runs", "--json"], calling);
    expect(JSON.parse(runs.stdout)).toMatchObject([{ id: 1, pipeline: "toy", status: "succeeded" }]);
    await callOrca(["postgres", "stop"], calling);
  });

  it("says in a sentence why the server can't start", async () => {
    const words = ["run", "--partitions", "2024-01"];
    const ended = await call(program, words, { ...calling, env: { ORCA_DATABASE_URL: "embedded:." } });
    expect(ended).toMatchObject({ code: 6, stdout: "" });
    expect(ended.stderr).toMatch(
      /^error: \S+ has other things in it, such as \S+: give an empty folder, or one that isn't there\n$/,
    );
  });
});

function json(value: object): string {
  return `${JSON.stringify(value, undefined, 2)}\n`;
}
