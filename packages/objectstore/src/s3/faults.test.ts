import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { numbered } from "../conformance/numbered.fixture.ts";
import { openObjectStore } from "../open.ts";
import { S3Store } from "./s3-store.ts";
import { ACCESS_KEY, type Fault, type S3Request, type S3Server, SECRET_KEY, startS3 } from "./s3-server.fixture.ts";

let server: S3Server;
let store: S3Store;
const KEYS = { accessKeyId: ACCESS_KEY, secretAccessKey: SECRET_KEY };

beforeEach(async () => {
  server = await startS3("lake");
  store = open("lake");
});
afterEach(async () => {
  await store[Symbol.asyncDispose]();
  await server[Symbol.asyncDispose]();
});

function open(bucket: string, options: object = {}): S3Store {
  return new S3Store(bucket, "", {
    endpoint: server.endpoint,
    region: "eu-west-1",
    credentials: KEYS,
    retryMilliseconds: 1,
    ...options,
  });
}

const anything = () => true;
const gets = ({ method, query }: S3Request) => method === "GET" && !query.has("list-type");
const parts = ({ query }: S3Request) => query.has("partNumber");

const PASSING: readonly (readonly [string, Fault])[] = [
  ["500 InternalError", { do: "answer", status: 500, code: "InternalError" }],
  ["503 SlowDown", { do: "answer", status: 503, code: "SlowDown" }],
  ["429 TooManyRequests", { do: "answer", status: 429, code: "TooManyRequests" }],
  ["a connection that is reset", { do: "reset", isApplied: false }],
];

describe.each(PASSING)("%s", (_, fault) => {
  it("twice is no matter to any method", async () => {
    const twice = () => server.fail(anything, fault, fault);
    twice();
    await store.put("a", "0123456789");
    twice();
    expect((await store.get("a")).size).toBe(10);
    twice();
    expect((await store.stream("a")).size).toBe(10);
    twice();
    expect((await store.head("a"))?.size).toBe(10);
    twice();
    for await (const { key } of store.list("")) expect(key).toBe("a");
    twice();
    await store.delete("a");
    twice();
    await store.deleteMany(["a"]);
    expect(await store.head("a")).toBeUndefined();
  });

  it("for ever is told as unreachable after five attempts", async () => {
    server.fail(anything, ...Array.from({ length: 5 }, () => fault));
    await expect(store.get("a")).rejects.toMatchObject({
      code: "unreachable",
      message: expect.stringMatching(/^can't read "a" in s3:\/\/lake: tried 5 times, at last /),
      cause: expect.any(Error),
    });
    expect(server.requests.length).toBe(5);
  });
});

describe("a body that breaks off", () => {
  it.each([
    ["reset", 0],
    ["reset", 100_000],
    ["end", 0],
    ["end", 100_000],
  ] as const)("by %s after %i bytes is read again", async (by, bytes) => {
    await store.put("a", numbered(300_000));
    const whole = Buffer.from((await store.get("a")).bytes);
    server.fail(gets, { do: "cut", bytes, by });
    expect(whole.equals((await store.get("a")).bytes)).toBe(true);
    server.fail(gets, { do: "cut", bytes, by });
    const range = { start: 7, end: 200_000 };
    expect(whole.subarray(7, 200_000).equals((await store.get("a", { range })).bytes)).toBe(true);
    server.fail(gets, { do: "cut", bytes, by });
    expect(whole.equals(await streamed("a"))).toBe(true);
  });

  it("again and again is read on in a stream as long as there is more each time", async () => {
    await store.put("a", numbered(1_000_000));
    const { bytes: whole } = await store.get("a");
    server.fail(gets, ...Array.from({ length: 8 }, (): Fault => ({ do: "cut", bytes: 100_000, by: "end" })));
    expect(Buffer.from(whole).equals(await streamed("a"))).toBe(true);
  });

  it("each time is an error, never short data", async () => {
    await store.put("a", numbered(300_000));
    const cuts = Array.from({ length: 20 }, (): Fault => ({ do: "cut", bytes: 0, by: "end" }));
    server.fail(gets, ...cuts.slice(0, 5));
    await expect(store.get("a")).rejects.toMatchObject({ code: "unreachable" });
    server.fail(gets, ...cuts);
    await expect(streamed("a")).rejects.toMatchObject({ code: "unreachable" });
  });

  it("in an object that was replaced meanwhile ends the stream with a conflict", async () => {
    await store.put("a", numbered(3_000_000));
    server.fail(gets, { do: "cut", bytes: 1_000_000, by: "end" });
    const { body } = await store.stream("a");
    await store.put("a", "other");
    const reading = (async () => {
      for await (const _ of body);
    })();
    await expect(reading).rejects.toMatchObject({ code: "conflict" });
  });

  it("or has other bytes than were written isn't taken", async () => {
    await store.put("a", numbered(1000));
    const { bytes: whole } = await store.get("a");
    server.fail(gets, { do: "corrupt" });
    expect((await store.get("a")).bytes).toEqual(whole);
    await store.put("b", numbered(1_000_000));
    server.fail(gets, { do: "corrupt" });
    await expect(streamed("b")).rejects.toMatchObject({ code: "failed" });
  });
});

describe("an upload of parts", () => {
  it("sends a part again", async () => {
    const faults = [
      ...PASSING.map(([, fault]) => fault),
      { do: "answer", status: 400, code: "RequestTimeout" } as const,
    ];
    server.fail(({ query }) => query.get("partNumber") === "1", ...faults.slice(0, 3));
    server.fail(({ query }) => query.get("partNumber") === "2", ...faults.slice(3));
    await store.put("a", numbered(18_000_000));
    expect((await store.head("a"))?.size).toBe(18_000_000);
  });

  it("that can't go on leaves none of them", async () => {
    server.fail(({ query }) => query.get("partNumber") === "2", { do: "answer", status: 403, code: "AccessDenied" });
    await expect(store.put("a", numbered(18_000_000))).rejects.toMatchObject({ code: "access-denied" });
    expect(server.uploads.size).toBe(0);
    expect(server.requests.filter(({ method }) => method === "DELETE").length).toBe(1);
  });

  it("that is aborted leaves none of them, also not the one that was under way", async () => {
    const stop = new AbortController();
    const slow = Promise.withResolvers<void>();
    server.fail(parts, { do: "wait", until: slow.promise });
    const put = store.put("a", numbered(18_000_000), { signal: stop.signal });
    await server.arrived(parts);
    const reason = new Error("no longer wanted");
    stop.abort(reason);
    slow.resolve();
    await expect(put).rejects.toBe(reason);
    expect(server.uploads.size).toBe(0);
    expect(await store.head("a")).toBeUndefined();
  });

  it("has at most six parts in memory, and makes a source wait that is faster than the store", async () => {
    let given = 0;
    let lead = 0;
    const source = (async function* () {
      for await (const piece of numbered(64 * 1024 * 1024)) {
        given += piece.length;
        const received = server.requests.filter(parts).reduce((sum, { bytes }) => sum + bytes, 0);
        lead = Math.max(lead, given - received);
        yield piece;
      }
    })();
    await store.put("a", source);
    expect(lead).toBeGreaterThan(0);
    expect(lead).toBeLessThanOrEqual(6 * 8 * 1024 * 1024);
  });
});

describe("a signal", () => {
  it("ends the wait between attempts", async () => {
    const patient = open("lake", { retryMilliseconds: 20_000 });
    const stop = new AbortController();
    server.fail(anything, { do: "answer", status: 503, code: "SlowDown" });
    const got = patient.get("a", { signal: stop.signal });
    await server.arrived(anything);
    const reason = new Error("no longer wanted");
    stop.abort(reason);
    await expect(got).rejects.toBe(reason);
    await patient[Symbol.asyncDispose]();
  });

  it("ends a request that isn't answered", async () => {
    const never = Promise.withResolvers<void>();
    const stop = new AbortController();
    server.fail(anything, { do: "wait", until: never.promise });
    const got = store.get("a", { signal: stop.signal });
    await server.arrived(anything);
    stop.abort(new Error("no longer wanted"));
    await expect(got).rejects.toThrow("no longer wanted");
    never.resolve();
  });
});

it("a store that takes a connection and stays silent is unreachable after the timeout", async () => {
  await using impatient = open("lake", { timeoutSeconds: 1, attempts: 1 });
  const never = Promise.withResolvers<void>();
  server.fail(anything, { do: "wait", until: never.promise });
  await expect(impatient.get("a")).rejects.toMatchObject({ code: "unreachable" });
  never.resolve();
});

describe("what can't succeed is told at once", () => {
  it("refused credentials, which no message has in it", async () => {
    await using wrong = open("lake", { credentials: { accessKeyId: "NOTAKEY", secretAccessKey: "hidden-secret" } });
    const error = await wrong.put("a", "x").catch((e: unknown) => e as Error);
    expect(error).toMatchObject({
      code: "access-denied",
      message: `can't write "a" in s3://lake: the store refuses these credentials (InvalidAccessKeyId)`,
    });
    expect(JSON.stringify([error, (error as Error).cause])).not.toContain("hidden-secret");
    expect(server.requests.length).toBe(1);
  });

  it("no bucket", async () => {
    await using none = open("pond");
    await expect(none.put("a", "x")).rejects.toMatchObject({
      code: "invalid-location",
      message: `can't write "a" in s3://pond: there is no such bucket`,
    });
    await expect(none.get("a")).rejects.toMatchObject({ code: "invalid-location" });
  });

  it("one of many objects that may not be deleted, by its key", async () => {
    await using deep = new S3Store("lake", "deep", { endpoint: server.endpoint, region: "x", credentials: KEYS });
    const text =
      "<DeleteResult><Error><Key>deep/b</Key><Code>AccessDenied</Code><Message>no</Message></Error></DeleteResult>";
    server.fail(anything, { do: "answer", status: 200, code: "", text });
    await expect(deep.deleteMany(["a", "b", "c"])).rejects.toMatchObject({
      code: "access-denied",
      message: `can't delete "b" in s3://lake/deep: the store refuses these credentials (AccessDenied)`,
    });
    expect(server.requests.length).toBe(1);
  });

  it("an error of S3's that isn't known here", async () => {
    server.fail(anything, { do: "answer", status: 400, code: "InvalidArgument" });
    await expect(store.put("a", "x")).rejects.toMatchObject({
      code: "failed",
      message: `can't write "a" in s3://lake: InvalidArgument: made by the test`,
    });
  });

  it("a key that is too long with the prefix", async () => {
    await using deep = new S3Store("lake", "p".repeat(200), {
      endpoint: server.endpoint,
      region: "x",
      credentials: KEYS,
    });
    server.fail(anything, { do: "answer", status: 400, code: "KeyTooLongError" });
    await expect(deep.put(`${"s".repeat(250)}/`.repeat(4).slice(0, -1), "x")).rejects.toMatchObject({
      code: "invalid-key",
    });
  });
});

it("objects that aren't deleted for a passing reason are deleted by the next attempt", async () => {
  await store.put("a", "x");
  const text = "<DeleteResult><Error><Key>a</Key><Code>SlowDown</Code><Message>later</Message></Error></DeleteResult>";
  server.fail(anything, { do: "answer", status: 200, code: "", text });
  await store.deleteMany(["a"]);
  expect(await store.head("a")).toBeUndefined();
});

it("a store that nobody listens for is unreachable", async () => {
  await server[Symbol.asyncDispose]();
  await expect(store.get("a")).rejects.toMatchObject({
    code: "unreachable",
    message: expect.stringContaining("ECONNREFUSED"),
  });
  server = await startS3("lake");
});

it("what other programs wrote under what isn't a key isn't listed", async () => {
  await server.seed(["folder/", "folder/a", "folder//b", "folder/.~c"]);
  const keys: string[] = [];
  for await (const { key } of store.list("")) keys.push(key);
  expect(keys).toEqual(["folder/a"]);
});

it("a location gives the endpoint, and AWS's variables the credentials", async () => {
  process.env["AWS_ACCESS_KEY_ID"] = ACCESS_KEY;
  process.env["AWS_SECRET_ACCESS_KEY"] = SECRET_KEY;
  process.env["AWS_ENDPOINT_URL_S3"] = server.endpoint;
  process.env["AWS_REGION"] = "eu-west-1";
  try {
    await using named = openObjectStore(
      `s3://lake/deep/er/?endpoint=${encodeURIComponent(server.endpoint)}&region=x&path-style=true`,
    );
    await named.put("a", "x");
    await using plain = openObjectStore("s3://lake");
    expect((await plain.head("deep/er/a"))?.size).toBe(1);
    expect(named.urlOf("a")).toBe("s3://lake/deep/er/a");
  } finally {
    for (const name of ["ACCESS_KEY_ID", "SECRET_ACCESS_KEY", "ENDPOINT_URL_S3", "REGION"])
      delete process.env[`AWS_${name}`];
  }
});

async function streamed(key: string): Promise<Buffer> {
  const pieces: Uint8Array[] = [];
  for await (const piece of (await store.stream(key)).body) pieces.push(piece);
  return Buffer.concat(pieces);
}
