import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { numbered } from "../conformance/numbered.fixture.ts";
import type { PutOptions } from "../object-store.ts";
import { S3Store } from "./s3-store.ts";
import { ACCESS_KEY, type S3Request, type S3Server, SECRET_KEY, startS3 } from "./s3-server.fixture.ts";

let server: S3Server;
let store: S3Store;
let other: S3Store;

beforeEach(async () => {
  server = await startS3("lake");
  const open = () =>
    new S3Store("lake", "", {
      endpoint: server.endpoint,
      region: "eu-west-1",
      credentials: { accessKeyId: ACCESS_KEY, secretAccessKey: SECRET_KEY },
      retryMilliseconds: 1,
    });
  store = open();
  other = open();
});
afterEach(async () => {
  await store[Symbol.asyncDispose]();
  await other[Symbol.asyncDispose]();
  await server[Symbol.asyncDispose]();
});

const puts = ({ method, query }: S3Request) => method === "PUT" && !query.has("partNumber");
const completes = ({ method, query }: S3Request) => method === "POST" && query.has("uploadId");
const read = async (key: string) => new TextDecoder().decode((await store.get(key)).bytes);
const countOf = (method: string) => server.requests.filter((request) => request.method === method).length;

describe.each([
  ["the connection is reset", { do: "reset", isApplied: true }],
  ["the answer is 500", { do: "answer", status: 500, code: "InternalError", isApplied: true }],
  ["the answer is 503", { do: "answer", status: 503, code: "SlowDown", isApplied: true }],
] as const)("a put that is applied although %s", (_, fault) => {
  it("if absent, succeeds", async () => {
    server.fail(puts, fault);
    const { etag } = await store.put("a", "mine", { ifAbsent: true });
    expect(await store.head("a")).toMatchObject({ etag });
    expect(countOf("PUT")).toBe(2);
  });

  it("if absent, succeeds after two such answers", async () => {
    server.fail(puts, fault, fault);
    await store.put("a", "mine", { ifAbsent: true });
    expect(await read("a")).toBe("mine");
  });

  it("over an etag, succeeds", async () => {
    const { etag } = await store.put("a", "first");
    server.fail(puts, fault);
    const put = await store.put("a", "second", { ifMatch: etag });
    expect(await store.head("a")).toMatchObject({ etag: put.etag });
    expect(await read("a")).toBe("second");
  });
});

it.each([
  ["if absent", { ifAbsent: true }],
  ["always", {}],
] as [string, PutOptions][])(
  "an upload of parts whose completion is applied although the connection is reset succeeds: %s",
  async (_, options) => {
    server.fail(completes, { do: "reset", isApplied: true });
    const { etag } = await store.put("a", numbered(9_000_000), options);
    expect(await store.head("a")).toMatchObject({ etag, size: 9_000_000 });
    expect(server.uploads.size).toBe(0);
  },
);

describe("a put whose reply is lost before it is applied", () => {
  it("is sent again", async () => {
    server.fail(puts, { do: "reset", isApplied: false });
    await store.put("a", "mine", { ifAbsent: true });
    expect(await read("a")).toBe("mine");
  });

  it.each(["if absent", "over an etag"])("is a conflict if another put was faster, %s", async (kind) => {
    const condition =
      kind === "if absent" ? ({ ifAbsent: true } as const) : { ifMatch: (await store.put("a", "0")).etag };
    server.requests.length = 0;
    server.fail(puts, { do: "reset", isApplied: false });
    const followedUp = Promise.withResolvers<void>();
    server.fail(puts, { do: "wait", until: followedUp.promise });
    const outcome = outcomeOf(store.put("a", "mine", condition));
    await server.arrived(puts, 2);
    await other.put("a", "theirs", condition);
    followedUp.resolve();
    expect(await outcome).toBe("conflict");
    expect(await read("a")).toBe("theirs");
  });
});

describe("a put that was applied, its reply lost, and that another has followed", () => {
  /** The reply to the first put is lost; before it is sent again the other's put comes. */
  const followed = async (options: PutOptions, follow: () => Promise<unknown>) => {
    const followedUp = Promise.withResolvers<void>();
    server.fail(puts, { do: "reset", isApplied: true }, { do: "wait", until: followedUp.promise });
    const outcome = outcomeOf(store.put("a", "mine", options));
    await server.arrived(puts, 2);
    await follow();
    followedUp.resolve();
    return await outcome;
  };

  it("is told as unknown, not as a conflict, if what followed wrote over any contents", async () => {
    expect(await followed({ ifAbsent: true }, () => other.put("a", "theirs"))).toBe("outcome-unknown");
  });

  it("is told as unknown, not as a conflict, if what followed replaced it", async () => {
    const follow = async () => other.put("a", "theirs", { ifMatch: (await other.head("a"))!.etag });
    expect(await followed({ ifAbsent: true }, follow)).toBe("outcome-unknown");
  });
});

it("an upload whose completion is answered by an error within a 200 was applied or is completed again", async () => {
  const text = "<Error><Code>InternalError</Code><Message>made by the test</Message></Error>";
  for (const [key, isApplied] of [
    ["a", true],
    ["b", false],
  ] as const) {
    server.fail(completes, { do: "answer", status: 200, code: "", text, isApplied });
    await store.put(key, numbered(9_000_000), { ifAbsent: true });
    expect((await store.head(key))?.size).toBe(9_000_000);
  }
});

describe("a condition that doesn't hold", () => {
  it("is told at once, without a look at the object", async () => {
    await store.put("a", "first");
    const before = server.requests.length;
    await expect(store.put("a", "second", { ifAbsent: true })).rejects.toMatchObject({ code: "conflict" });
    expect(server.requests.length).toBe(before + 1);
  });

  it("is not what S3's 409 means: the put is sent again", async () => {
    server.fail(puts, { do: "answer", status: 409, code: "ConditionalRequestConflict" });
    await store.put("a", "mine", { ifAbsent: true });
    expect(await read("a")).toBe("mine");
  });

  it("is what an upload means that S3 has ended, as it met another write", async () => {
    server.fail(
      completes,
      { do: "answer", status: 409, code: "ConditionalRequestConflict" },
      { do: "answer", status: 404, code: "NoSuchUpload" },
    );
    await expect(store.put("a", numbered(9_000_000), { ifAbsent: true })).rejects.toMatchObject({ code: "conflict" });
  });

  it("of an upload of parts leaves none of its parts", async () => {
    await store.put("a", "first");
    await expect(store.put("a", numbered(9_000_000), { ifAbsent: true })).rejects.toMatchObject({ code: "conflict" });
    await expect(store.put("a", numbered(9_000_000), { ifMatch: '"other"' })).rejects.toMatchObject({
      code: "conflict",
    });
    await expect(store.put("b", numbered(9_000_000), { ifMatch: '"other"' })).rejects.toMatchObject({
      code: "conflict",
    });
    expect(server.uploads.size).toBe(0);
    expect(await read("a")).toBe("first");
  });
});

async function outcomeOf(put: Promise<unknown>): Promise<string | undefined> {
  return await put.then(
    () => "written",
    (error: unknown) => (error as { code?: string }).code,
  );
}
