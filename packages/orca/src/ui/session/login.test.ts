import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { addUser } from "../../state/users.ts";
import type { UiOptions } from "../app.ts";
import { testUi, type TestUi } from "../ui.fixture.ts";

let ui: TestUi;
beforeEach(async () => {
  ui = await testUi();
});
afterEach(() => ui[Symbol.asyncDispose]());

const PASSWORD = "correct horse";
const addAlice = () => addUser(ui.database, { name: "alice", password: PASSWORD, actor: "root" });
const logIn = (form: Readonly<Record<string, string>> = {}, headers: Readonly<Record<string, string>> = {}) =>
  ui.post("/login", { name: "alice", password: PASSWORD, ...form }, headers);
const cookieOf = (answer: Response) => answer.headers.getSetCookie().find((one) => one.includes("orca_session=")) ?? "";
const shown = (answer: Response) => ({ cookie: cookieOf(answer).split(";")[0]! });
async function restart(options: Partial<UiOptions>): Promise<void> {
  await ui[Symbol.asyncDispose]();
  ui = await testUi(options);
}

describe("a login", () => {
  it("is a session in a cookie that scripts don't see and other sites don't send, and goes back to where it was asked", async () => {
    await addAlice();
    const answer = await logIn({ back: "/runs?state=failed" });
    expect([answer.status, answer.headers.get("location")]).toEqual([303, "/runs?state=failed"]);
    expect(cookieOf(answer)).toMatch(/^orca_session=[\w-]{43}; Path=\/; Expires=[^;]+; HttpOnly; SameSite=Strict$/);
    expect(await (await ui.get("/", shown(answer))).text()).toContain("Signed in as alice");
    expect(await (await ui.get("/")).text()).not.toContain("Signed in");
  });

  it("over HTTPS is one that no other host of the domain can plant", async () => {
    await restart({ hasSecureCookies: true });
    await addAlice();
    expect(cookieOf(await logIn())).toMatch(/^__Host-orca_session=[^;]+; Path=\/; Expires=[^;]+; HttpOnly; Secure;/);
  });

  it("takes no session that was there before it", async () => {
    await addAlice();
    const planted = { cookie: `orca_session=${"x".repeat(43)}` };
    const answer = await logIn({}, planted);
    expect(shown(answer)).not.toEqual(planted);
    expect(await (await ui.get("/", planted)).text()).not.toContain("Signed in");
  });

  it("leads to no other site", async () => {
    await addAlice();
    for (const back of ["https://example.com", "//example.com", "/\\example.com", "javascript:alert(1)", "/\r\nx: y"])
      expect((await logIn({ back })).headers.get("location")).toBe("/");
  });

  it("that is refused says the same of a name that there isn't", async () => {
    await addAlice();
    const answers = [await logIn({ password: "wrong horse" }), await logIn({ name: "bob" }), await logIn({ name: "" })];
    for (const answer of answers) {
      expect([answer.status, cookieOf(answer)]).toEqual([401, ""]);
      expect(await answer.text()).toContain("No user has this name and password.");
    }
  });

  it("is throttled after five failures of a name, whatever the password is then", async () => {
    await addAlice();
    for (let n = 0; n < 5; n++) expect((await logIn({ password: "wrong horse" })).status).toBe(401);
    const answer = await logIn();
    expect([answer.status, cookieOf(answer)]).toEqual([429, ""]);
    expect(Number(answer.headers.get("retry-after"))).toBeGreaterThan(800);
    expect(await answer.text()).toContain("Too many tries. Wait 15 minutes.");
  });

  it("from an address is counted by the connection, unless a proxy is trusted: then by what the proxy itself says", async () => {
    await addAlice();
    const spoofed = (n: number) => ({ "x-forwarded-for": `10.1.1.${n}` });
    for (let n = 0; n < 20; n++) expect((await logIn({ name: `user-${n}` }, spoofed(n))).status).toBe(401);
    expect((await logIn({}, spoofed(99))).status).toBe(429);
    await restart({ trustsProxy: true });
    await addAlice();
    for (let n = 0; n < 20; n++) await logIn({ name: `user-${n}` }, { "x-forwarded-for": `10.1.1.${n}, 10.2.2.2` });
    expect((await logIn({}, { "x-forwarded-for": "10.9.9.9, 10.2.2.2" })).status).toBe(429);
    expect((await logIn({}, { "x-forwarded-for": "10.2.2.2, 10.9.9.9" })).status).toBe(303);
  });

  it("ends with a logout, for whoever has its cookie", async () => {
    await addAlice();
    const session = shown(await logIn());
    const answer = await ui.post("/logout", {}, session);
    expect(cookieOf(answer)).toContain("Max-Age=0");
    expect(await (await ui.get("/", session)).text()).not.toContain("Signed in");
  });
});

describe("a request that changes something", () => {
  it("is refused from another site, whatever it says", async () => {
    await addAlice();
    for (const headers of [
      { origin: "https://example.com" },
      { origin: "null" },
      { origin: "http://127.0.0.1:8271" },
      { origin: "", referer: "https://example.com/127.0.0.1:8270" },
    ]) {
      const answer = await logIn({}, headers);
      expect([answer.status, cookieOf(answer)]).toEqual([400, ""]);
    }
    expect((await logIn({}, { origin: "", referer: "http://127.0.0.1:8270/login" })).status).toBe(400);
  });
});

describe("a server", () => {
  it("answers to its addresses and its public name, and to no name that another site has lead to it", async () => {
    await restart({ publicUrl: "https://orca.example.com" });
    const status = async (host: string) => (await ui.get("/", { host })).status;
    for (const host of ["127.0.0.1:8270", "[::1]:8270", "localhost:1", "10.0.0.4", "orca.example.com"])
      expect(await status(host)).toBe(200);
    for (const host of [
      "example.com",
      "orca.example.com.evil.com",
      "orca.example.com:8270",
      "127.0.0.1.evil.com",
      "a b",
    ])
      expect(await status(host)).toBe(400);
    expect((await logIn({}, { host: "127.0.0.1:8270", origin: "https://orca.example.com" })).status).toBe(401);
  });
});
