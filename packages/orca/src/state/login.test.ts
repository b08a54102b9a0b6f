import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { logIn, type Login } from "./login.ts";
import { testState, type TestState } from "./state.fixture.ts";
import { addUser } from "./users.ts";

let state: TestState;
beforeAll(async () => {
  state = await testState();
  for (const name of ["alice", "eve"])
    await addUser(state.database, { name, password: "correct horse", actor: "root" });
});
afterAll(() => state[Symbol.asyncDispose]());
beforeEach(() => state.test.sql("truncate orca.login_failures, orca.actions"));

const tries = (given: { name?: string; password?: string; address?: string } = {}): Promise<Login> =>
  logIn(state.database, { name: "alice", password: "wrong horse", address: "10.0.0.1", ...given });
const kind = async (given: Parameters<typeof tries>[0]) => (await tries(given)).kind;
const right = { password: "correct horse" };
/** As if they had failed: what bcrypt takes is left out. */
const failed = (count: number, name: string | null, address: string, ago = "0 s") =>
  state.test.sql(
    `insert into orca.login_failures (name, address, at)
     select $2, $3::inet, clock_timestamp() - $4::interval from generate_series(1, $1::int)`,
    [count, name, address, ago],
  );

describe("a login", () => {
  it("takes the name however it is typed", async () => {
    expect(await tries({ name: " Alice ", ...right })).toMatchObject({ kind: "logged-in", user: "alice" });
  });

  it.each([
    ["another password", { password: "wrong horse" }],
    ["another user's name", { name: "bob", ...right }],
    ["what can be no name", { name: "no\0name".repeat(100_000), ...right }],
    ["a password that is longer than bcrypt reads", { password: "correct horse".padEnd(1_000_000) }],
    ["a password that Postgres doesn't take", { password: "correct horse\0" }],
    ["half a letter", { password: "correct horse\ud83d" }],
    ["nothing", { password: "" }],
  ])("with %s is refused", async (_what, given) => {
    expect(await tries(given)).toEqual({ kind: "refused" });
  });

  it("has bcrypt work as much for a name that there isn't as for one that there is", async () => {
    await state.test.sql("create table worked (cost text)");
    await state.test.sql(`
      create or replace function orca.is_password(password text, hash text) returns boolean language sql as
      $$ insert into public.worked values (substr(hash, 1, 7)); select orca.crypt(password, hash) = hash $$`);
    for (const given of [{}, { name: "bob" }, { name: "\0" }, { password: "x".repeat(100) }]) await tries(given);
    expect(await state.test.sql("select distinct cost, count(*)::int from worked group by 1")).toEqual([
      { cost: "$2a$10$", count: 4 },
    ]);
  });

  it("is recorded, with the address, whether it failed or not", async () => {
    await tries(right);
    await tries();
    await tries({ name: "no name", address: "2001:db8::1" });
    expect(await state.test.sql("select actor, action, detail from orca.actions order by id")).toEqual([
      { actor: "alice", action: "log-in", detail: { address: "10.0.0.1" } },
      { actor: "alice", action: "fail-login", detail: { address: "10.0.0.1" } },
      { actor: "(unknown)", action: "fail-login", detail: { address: "2001:db8:0:0::/64" } },
    ]);
  });
});

describe("logins are throttled", () => {
  it("after five that failed of a name, whatever the address, and the password isn't looked at", async () => {
    for (let i = 0; i < 5; i++) expect(await kind({ address: `10.0.0.${i}` })).toBe("refused");
    const sixth = await tries({ ...right, address: "10.0.0.9" });
    expect(sixth).toMatchObject({ kind: "throttled" });
    expect((sixth as { retryAfterSeconds: number }).retryAfterSeconds).toBeLessThanOrEqual(900);
    expect((sixth as { retryAfterSeconds: number }).retryAfterSeconds).toBeGreaterThan(800);
    expect(await kind({ name: "eve", ...right })).toBe("logged-in");
  });

  it("after twenty that failed from an address, whatever the names", async () => {
    await failed(10, null, "10.0.0.1");
    await failed(10, "bob", "10.0.0.1");
    expect(await kind(right)).toBe("throttled");
    expect(await kind({ ...right, address: "10.0.0.2" })).toBe("logged-in");
  });

  it("for a quarter of an hour", async () => {
    await failed(4, "alice", "10.0.0.2");
    await failed(1, "alice", "10.0.0.2", "14 min");
    expect(await tries(right)).toMatchObject({ kind: "throttled", retryAfterSeconds: 60 });
    await state.test.sql("update orca.login_failures set at = at - interval '1 min'");
    expect(await kind(right)).toBe("logged-in");
  });

  it("also where many come at once", async () => {
    const kinds = await Promise.all(Array.from({ length: 12 }, () => kind({})));
    expect(kinds.toSorted()).toEqual([...Array<string>(5).fill("refused"), ...Array<string>(7).fill("throttled")]);
  });

  it("anew after a success, of that name: it shows who it was that failed, and doesn't free the address for others", async () => {
    await failed(4, "alice", "10.0.0.1");
    await failed(15, "bob", "10.0.0.1");
    expect(await kind({ name: "eve", ...right })).toBe("logged-in");
    expect(await state.test.sql("select from orca.login_failures")).toHaveLength(19);
    expect(await kind(right)).toBe("logged-in");
    expect(await state.test.sql("select from orca.login_failures")).toHaveLength(15);
  });

  it.each([
    ["::ffff:10.0.0.1", "10.0.0.1", true],
    ["2001:db8:1:2:aaaa::1", "2001:db8:1:2::9", true],
    ["2001:db8:1:2::1", "2001:db8:1:3::1", false],
    ["::1", "::2", true],
    ["fe80::1%eth0", "fe80::2", true],
    ["no address", "10.0.0.1, 10.0.0.2", true],
    ["no address", "10.0.0.1", false],
  ])("%s and %s are one address: %s", async (one, other, isOne) => {
    await tries({ name: "bob", address: one });
    await tries({ name: "bob", address: other });
    const addresses = await state.test.sql("select distinct address from orca.login_failures");
    expect(addresses).toHaveLength(isOne ? 1 : 2);
  });

  it("by no more rows than there can be of a quarter of an hour", async () => {
    await failed(2_500, null, "10.0.0.3", "16 min");
    for (const left of [1_501, 502, 3]) {
      await tries({ name: "?" });
      expect(await state.test.sql("select from orca.login_failures")).toHaveLength(left);
    }
  });
});
