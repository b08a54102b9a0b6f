/** `orca user`, with passwords from programs and from people at a terminal. */
import { userInfo } from "node:os";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { testDatabase, type TestDatabase } from "../postgres.ts";
import { callOrca, orcaProgram, start, type Started } from "./programs.ts";

let test: TestDatabase;
beforeAll(async () => {
  test = await testDatabase();
  await user(["list"]);
});
afterAll(() => test[Symbol.asyncDispose]());
beforeEach(() => test.sql("truncate orca.users cascade"));

const user = (words: readonly string[], input?: string) =>
  callOrca(["user", ...words], {
    env: { ORCA_DATABASE_URL: test.url },
    ...(input === undefined ? {} : { input }),
  });

describe("orca user", () => {
  it("adds, shows, changes and removes users, with passwords from standard input", async () => {
    expect(await user(["list"])).toMatchObject({ code: 0, stdout: "no users\n" });
    expect(await user(["add", "alice"], "correct horse\n")).toMatchObject({
      code: 0,
      stdout: "alice may log in\n",
      stderr: "",
    });
    await test.sql("insert into orca.sessions values (sha256('1'), 'alice', now(), now(), now() + interval '1 day')");
    expect((await user(["list"])).stdout).toBe("alice: 1 session\n");
    expect(JSON.parse((await user(["list", "--json"])).stdout)).toMatchObject([{ name: "alice", sessions: 1 }]);
    expect((await user(["passwd", "alice"], "another horse")).stdout).toBe(
      "alice has another password, and 1 session of theirs is ended\n",
    );
    expect((await user(["remove", "alice"])).stdout).toBe("alice isn't a user any more\n");
    expect((await user(["list"])).stdout).toBe("no users\n");
    expect(await test.sql("select distinct actor from orca.actions")).toEqual([{ actor: userInfo().username }]);
  });

  it.each([
    ["no password", ["add", "alice"], "", "error: standard input has no password: write one to it, as one line\n"],
    ["a short one", ["add", "alice"], "short", "error: the password has 5 characters: it takes at least 8\n"],
    [
      "two lines",
      ["add", "alice"],
      "correct\nhorse\n",
      "error: standard input has more than one line: the password is one\n",
    ],
    [
      "a name that can't be",
      ["add", "Al"],
      "correct horse",
      /^error: 'Al' can't be a user's name: it takes small letters/,
    ],
    [
      "a name that isn't there",
      ["passwd", "bob"],
      "correct horse",
      /^error: there is no user 'bob': orca user list shows/,
    ],
    ["the password as an argument", ["add", "alice", "correct horse"], "", /^error: too many arguments/],
    ["no name", ["add"], "", /^error: missing required argument 'name'/],
  ] as const)("given %s says so, and changes nothing", async (_what, words, input, sentence) => {
    const { code, stdout, stderr } = await user(words, input);
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(stderr).toMatch(sentence);
    expect(await test.sql("select from orca.users")).toEqual([]);
  });
});

describe("orca user at a terminal", () => {
  const typing = async (...lines: readonly string[]) => {
    const words = ["-qec", `'${process.execPath}' '${orcaProgram}' user add alice`, "/dev/null"];
    const started: Started = start("script", words, { env: { ORCA_DATABASE_URL: test.url }, input: null });
    for (const [i, line] of lines.entries()) {
      await started.printed(["password for alice: ", "password for alice, again: "][i]!);
      started.process.stdin!.write(line);
    }
    return await started.ended;
  };

  it("asks for the password twice, and shows nothing of it", async () => {
    const { code, stdout } = await typing("correct hoss\x7f\x7frse\r", "correct horse\r");
    expect(stdout).toBe("password for alice: \r\npassword for alice, again: \r\nalice may log in\r\n");
    expect(code).toBe(0);
  });

  it.each([
    ["differ", ["correct horse\r", "correct house\r"], 2, "error: the two passwords differ: nothing is changed"],
    ["are broken off by Ctrl-C", ["correct\x03"], 3, "error: no password was given: nothing is changed"],
    ["are none, by Ctrl-D", ["\x04"], 3, "error: no password was given: nothing is changed"],
  ] as const)("adds nobody where they %s", async (_what, lines, code, sentence) => {
    const ended = await typing(...lines);
    expect(ended.code).toBe(code);
    expect(ended.stdout).toContain(sentence);
    expect(await test.sql("select from orca.users")).toEqual([]);
  });
});
