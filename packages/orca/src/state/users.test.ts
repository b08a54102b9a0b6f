import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { isPassword } from "./passwords.ts";
import { endSession, findSession } from "./sessions.ts";
import { logIn } from "./login.ts";
import { testState, type TestState } from "./state.fixture.ts";
import { addUser, changePassword, hasUsers, listUsers, removeUser } from "./users.ts";

let state: TestState;
beforeAll(async () => void (state = await testState()));
afterAll(() => state[Symbol.asyncDispose]());
beforeEach(() => state.test.sql("truncate orca.users, orca.sessions, orca.login_failures, orca.actions cascade"));

const add = (name = "alice", password = "correct horse") => addUser(state.database, { name, password, actor: "root" });
const change = (name: string, password: string) => changePassword(state.database, { name, password, actor: "root" });
const hashOf = async (name: string) =>
  (await state.test.sql<{ hash: string }>("select password_hash as hash from orca.users where name = $1", [name]))[0]!
    .hash;
async function tokenOf(name = "alice", password = "correct horse"): Promise<string> {
  const login = await logIn(state.database, { name, password, address: "10.0.0.1" });
  if (login.kind !== "logged-in") throw new Error(`it is ${login.kind}`);
  return login.token;
}

describe("a user", () => {
  it("has a password of which only a bcrypt hash is kept, of a cost of 10", async () => {
    expect(await hasUsers(state.database)).toBe(false);
    await add();
    expect(await hasUsers(state.database)).toBe(true);
    const hash = await hashOf("alice");
    expect(hash).toMatch(/^\$2a\$10\$/);
    expect(await isPassword(state.database, "correct horse", hash)).toBe(true);
    expect(await isPassword(state.database, "correct horsf", hash)).toBe(false);
    expect(await isPassword(state.database, "correct horse", undefined)).toBe(false);
  });

  it.each([
    ["Alice", "long enough", "'Alice' can't be a user's name: it takes small letters and digits"],
    ["", "long enough", "'' can't be a user's name"],
    ["-a", "long enough", "'-a' can't be a user's name"],
    ["a".repeat(65), "long enough", "64 characters in all"],
    ["alice", "short", "the password has 5 characters: it takes at least 8"],
    ["alice", "🐴🐴🐴🐴", "the password has 4 characters: it takes at least 8"],
    ["alice", "x".repeat(73), "the password is 73 bytes long: bcrypt, which hashes it, reads no more than 72"],
    ["alice", "ö".repeat(37), "the password is 74 bytes long"],
    ["alice", "tab\tand more", "the password has a character that can't be typed everywhere"],
    ["alice", "nul\0and more", "the password has a character that can't be typed everywhere"],
  ])("called %j with the password %j is refused", async (name, password, sentence) => {
    await expect(add(name, password)).rejects.toMatchObject({
      code: "invalid-user",
      message: expect.stringContaining(sentence) as unknown,
    });
    expect(await listUsers(state.database)).toEqual([]);
  });

  it("is added once, also by two at once, and the second is told so", async () => {
    const both = await Promise.allSettled([add(), add("alice", "another horse")]);
    expect(both.map((b) => b.status).toSorted()).toEqual(["fulfilled", "rejected"]);
    await expect(add()).rejects.toMatchObject({ code: "user-exists" });
    expect((await listUsers(state.database)).map((user) => user.name)).toEqual(["alice"]);
  });

  it("that there isn't can't be changed or removed, and the one that was meant is named", async () => {
    await add();
    const unknown = { code: "unknown-user", message: "there is no user 'alcie': did you mean 'alice'?" };
    await expect(change("alcie", "long enough")).rejects.toMatchObject(unknown);
    await expect(removeUser(state.database, { name: "alcie", actor: "root" })).rejects.toMatchObject(unknown);
    await expect(change("somebody", "long enough")).rejects.toThrow("orca user list shows those that there are");
  });

  it("loses their sessions with another password, and by being removed, and others keep theirs", async () => {
    await add();
    await add("bob");
    const [one, two, bobs] = [await tokenOf(), await tokenOf(), await tokenOf("bob")];
    expect(await change("alice", "another horse")).toBe(2);
    expect([await findSession(state.database, one), await findSession(state.database, two)]).toEqual([
      undefined,
      undefined,
    ]);
    await expect(tokenOf()).rejects.toThrow("it is refused");
    const three = await tokenOf("alice", "another horse");
    expect(await removeUser(state.database, { name: "alice", actor: "root" })).toBe(1);
    expect(await findSession(state.database, three)).toBeUndefined();
    expect(await findSession(state.database, bobs)).toMatchObject({ user: "bob" });
  });

  it("may write a letter of the password as any keyboard does", async () => {
    await add("alice", "caf\u00e9 au lait");
    expect(await tokenOf("alice", "cafe\u0301 au lait")).toBeDefined();
  });

  it("is on record with who added, changed and removed them", async () => {
    await add();
    await change("alice", "another horse");
    await removeUser(state.database, { name: "alice", actor: "root" });
    const actions = await state.test.sql("select actor, action, detail from orca.actions order by id");
    expect(actions).toEqual(
      ["add-user", "change-password", "remove-user"].map((action) => ({
        actor: "root",
        action,
        detail: { user: "alice" },
      })),
    );
  });
});

describe("a session", () => {
  beforeEach(() => add());
  const age = (set: string) => state.test.sql(`update orca.sessions set ${set}`);
  const days = async (token: string) => {
    const session = await findSession(state.database, token);
    return session && Math.round((session.expiresAt.getTime() - Date.now()) / 86_400_000);
  };

  it("is found by its token, of which only a hash is kept", async () => {
    const token = await tokenOf();
    expect(await findSession(state.database, token)).toMatchObject({ user: "alice" });
    const [row] = await state.test.sql("select to_jsonb(s) as row from orca.sessions s");
    expect(JSON.stringify(row)).not.toContain(token);
    for (const other of ["", "x", `${token.slice(1)}_`, `${token}\0`, token.toLowerCase()])
      expect(await findSession(state.database, other)).toBeUndefined();
  });

  it("ends a week after it was used last, and thirty days after the login in any case", async () => {
    const token = await tokenOf();
    expect(await days(token)).toBe(7);
    await age("seen_at = seen_at - interval '3 days', expires_at = expires_at - interval '3 days'");
    expect(await days(token)).toBe(7);
    await age("created_at = now() - interval '28 days', seen_at = now() - interval '1 hour'");
    expect(await days(token)).toBe(2);
    await age("expires_at = clock_timestamp()");
    expect(await days(token)).toBeUndefined();
  });

  it("isn't written anew whenever it is used", async () => {
    const token = await tokenOf();
    const version = async () => (await state.test.sql("select xmin::text, seen_at from orca.sessions"))[0];
    const before = await version();
    await findSession(state.database, token);
    expect(await version()).toEqual(before);
    await age("seen_at = seen_at - interval '61 seconds'");
    const aged = await version();
    await findSession(state.database, token);
    expect(await version()).not.toEqual(aged);
  });

  it("ends when it is asked to, and no other with it", async () => {
    const [one, two] = [await tokenOf(), await tokenOf()];
    await endSession(state.database, one);
    await endSession(state.database, one);
    expect(await findSession(state.database, one)).toBeUndefined();
    expect(await findSession(state.database, two)).toMatchObject({ user: "alice" });
  });

  it("isn't opened by a password that is changed while it is looked at", async () => {
    const login = await state.whileOpen(
      (client) => client.query("update orca.users set password_hash = repeat('x', 60)"),
      1,
      () => logIn(state.database, { name: "alice", password: "correct horse", address: "10.0.0.1" }),
    );
    expect(login).toEqual({ kind: "refused" });
    expect(await state.test.sql("select from orca.sessions")).toEqual([]);
  });

  it("is one of a hundred of a user at most, the oldest end; those that are over are removed", async () => {
    await state.test.sql(`
      insert into orca.sessions (token_hash, user_name, created_at, expires_at)
      select sha256(n::text::bytea), 'alice', now() - make_interval(hours => n),
        now() + case when n <= 120 then interval '1 day' else interval '-1 day' end
      from generate_series(1, 150) n`);
    const token = await tokenOf();
    const [row] = await state.test.sql(
      "select count(*)::int as count, min(created_at) > now() - interval '100 hours' as young from orca.sessions",
    );
    expect(row).toEqual({ count: 100, young: true });
    expect(await findSession(state.database, token)).toBeDefined();
    expect(await listUsers(state.database)).toMatchObject([{ name: "alice", sessions: 100 }]);
  });
});
