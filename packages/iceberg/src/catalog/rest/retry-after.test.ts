import { randomUUID } from "node:crypto";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { openCatalog } from "../open.ts";
import type { RestRequest } from "./rest-messages.fixture.ts";
import { startRest } from "./rest-server.fixture.ts";
import { retryAfterMs } from "./retry-after.ts";

/** How long was waited, in whole seconds: nothing waits in this file. */
const waits: number[] = [];
vi.mock("node:timers/promises", () => ({
  setTimeout: (ms: number) => {
    if (ms > 0) waits.push(Math.floor(ms / 1000));
    return Promise.resolve();
  },
}));
beforeEach(() => void waits.splice(0));

const commits = ({ method, path }: RestRequest) => method === "POST" && /\/tables\/./.test(path);
const loads = ({ method, path }: RestRequest) => method === "GET" && /\/tables\/./.test(path);
const tokenRequests = ({ path }: RestRequest) => path.endsWith("/oauth/tokens");

const DATE = "Sun, 06 Nov 1994 08:49:37 GMT";
const NOW_MS = Date.parse(DATE);

it.each<[string, Record<string, string>, number]>([
  ["nothing", {}, 0],
  ["seconds", { "retry-after": "7" }, 7000],
  ["no seconds", { "retry-after": "0" }, 0],
  ["a date", { "retry-after": "Sun, 06 Nov 1994 08:49:50 GMT" }, 13_000],
  ["a date that is over", { "retry-after": "Sun, 06 Nov 1994 08:49:30 GMT" }, 0],
  ["a date by the server's clock", { "retry-after": DATE, date: "Sun, 06 Nov 1994 08:49:32 GMT" }, 5000],
  ["more than a minute", { "retry-after": "3600" }, 60_000],
  ["a date of next year", { "retry-after": "Mon, 06 Nov 1995 08:49:37 GMT" }, 60_000],
  ["more seconds than there are", { "retry-after": "9".repeat(400) }, 60_000],
  ["what can't be read", { "retry-after": "soon" }, 0],
])("a reply that asks for %s is waited for so long", (_, headers, ms) => {
  expect(retryAfterMs(new Headers(headers), NOW_MS)).toBe(ms);
});

describe("a request", () => {
  it.each<[string, number, (request: RestRequest) => boolean]>([
    ["reads", 429, loads],
    ["reads", 503, loads],
    ["asks for a token", 503, tokenRequests],
    ["commits", 429, commits],
    ["commits", 503, commits],
  ])("that %s and is answered by %i is sent again when the reply says", async (_, status, when) => {
    await using server = await startRest({ warehouse: `memory:${randomUUID()}`, credential: "me:s3cret" });
    const rest = { credential: "me:s3cret", retryMilliseconds: 1 };
    await using catalog = openCatalog(`rest+${server.endpoint}`, { rest });
    await catalog.createNamespace("a");
    const table = await catalog.createTable("a.t", { columns: { id: "long" } });
    server.revokeTokens();
    waits.splice(0);
    server.fail(
      when,
      ...["5", "7"].map((seconds) => ({ do: "answer", status, headers: { "retry-after": seconds } }) as const),
    );
    await table.setProperties({ a: "1" });
    await catalog.loadTable("a.t");
    expect(waits.filter((seconds) => seconds > 0)).toEqual([5, 7]);
    expect((await catalog.loadTable("a.t")).properties).toMatchObject({ a: "1" });
  });
});
