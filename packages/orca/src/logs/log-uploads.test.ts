import { appendFileSync, existsSync, mkdirSync, mkdtempDisposableSync, readdirSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { openObjectStore, type ObjectStore } from "@orcajs/objectstore";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import {
  ACCESS_KEY,
  type S3Request,
  type S3Server,
  SECRET_KEY,
  startS3,
} from "../../../objectstore/src/s3/s3-server.fixture.ts";
import { LogUploads, type LogUploadsOptions } from "./log-uploads.ts";

let work: ReturnType<typeof mkdtempDisposableSync>;
let server: S3Server;
let bucket: string;
let store: ObjectStore;
const warnings: string[] = [];
const isPut = ({ method }: S3Request) => method === "PUT" || method === "POST";

beforeEach(async () => {
  vi.stubEnv("AWS_ACCESS_KEY_ID", ACCESS_KEY);
  vi.stubEnv("AWS_SECRET_ACCESS_KEY", SECRET_KEY);
  work = mkdtempDisposableSync(path.join(tmpdir(), "orca-uploads-"));
  server = await startS3("lake");
  bucket = `s3://lake/logs?endpoint=${server.endpoint}&region=eu-west-1`;
  store = openObjectStore(bucket);
  warnings.length = 0;
});
afterEach(async () => {
  await store[Symbol.asyncDispose]();
  await server[Symbol.asyncDispose]();
  work.remove();
  vi.unstubAllEnvs();
});

/** What is waited for may need several requests. */
const until = (isSo: () => boolean | Promise<boolean>) => vi.waitUntil(isSo, { timeout: 20_000, interval: 5 });
const runFolder = () => path.join(work.path, "lake/7");
const uploading = (options: Partial<LogUploadsOptions> = {}, to = bucket) =>
  new LogUploads(
    { folder: work.path, bucket: to },
    {
      folder: runFolder(),
      flushMs: 0,
      patienceMs: 10_000,
      patienceMsMax: 60_000,
      warn: (sentence) => warnings.push(sentence),
      ...options,
    },
  );
function staged(name: string, text: string): string {
  const file = path.join(runFolder(), name);
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, text);
  return file;
}
const textOf = async (name: string) => new TextDecoder().decode((await store.get(`lake/7/${name}`)).bytes);
const filesLeft = () =>
  readdirSync(work.path, { recursive: true, withFileTypes: true })
    .filter((one) => one.isFile())
    .map((one) => one.name);

describe("the logs of a run that are for a bucket", () => {
  it("are there when the run is over, and not in the stage any more, be they ended or not", async () => {
    await using uploads = uploading();
    uploads.ended(staged("load/2024-01/1.log", "one\n"));
    staged("total/1.log", "not ended\n");
    staged("empty/1.log", "");
    await uploads[Symbol.asyncDispose]();
    expect(await textOf("load/2024-01/1.log")).toBe("one\n");
    expect(await textOf("total/1.log")).toBe("not ended\n");
    expect(await textOf("empty/1.log")).toBe("");
    expect([filesLeft(), existsSync(runFolder()), warnings]).toEqual([[], false, []]);
  });

  it("are uploaded when their attempts end, while the run goes on", async () => {
    await using uploads = uploading();
    uploads.ended(staged("load/2024-01/1.log", "one\n"));
    await server.arrived(isPut);
    await until(() => filesLeft().length === 0);
    expect(await textOf("load/2024-01/1.log")).toBe("one\n");
  });

  it("are uploaded as far as they are written, from time to time", async () => {
    await using uploads = uploading({ flushMs: 5 });
    const file = staged("load/2024-01/1.log", "one\n");
    await until(async () => (await store.head("lake/7/load/2024-01/1.log"))?.size === 4);
    appendFileSync(file, "two\n");
    await until(async () => (await store.head("lake/7/load/2024-01/1.log"))?.size === 8);
    const puts = server.requests.filter(isPut).length;
    expect(existsSync(file)).toBe(true); // it is still written
    appendFileSync(file, "three\n");
    uploads.ended(file);
    await uploads[Symbol.asyncDispose]();
    expect(await textOf("load/2024-01/1.log")).toBe("one\ntwo\nthree\n");
    expect(server.requests.filter(isPut).length - puts).toBeLessThanOrEqual(2);
  });

  it("are uploaded by the run's next process where one died, once, and new ones are kept apart", async () => {
    staged("load/2024-01/1.log", "of the dead\n");
    await using uploads = uploading();
    expect(existsSync(runFolder())).toBe(false);
    uploads.ended(staged("load/2024-01/2.log", "of the living\n"));
    await uploads[Symbol.asyncDispose]();
    expect(await textOf("load/2024-01/1.log")).toBe("of the dead\n");
    expect(await textOf("load/2024-01/2.log")).toBe("of the living\n");
    expect(filesLeft()).toEqual([]);
  });

  it("go on where a process that died had uploaded a part, and follow what another run of the number has there", async () => {
    await store.put("lake/7/load/2024-01/1.log", "one\n");
    await store.put("lake/7/load/2024-02/1.log", "of another, and torn");
    const files = [staged("load/2024-01/1.log", "one\ntwo\n"), staged("load/2024-02/1.log", "ours\n")];
    await using uploads = uploading({ flushMs: 5 });
    await until(() => filesLeft().length === 0);
    expect(await textOf("load/2024-01/1.log")).toBe("one\ntwo\n");
    expect(await textOf("load/2024-02/1.log")).toBe("of another, and torn\nours\n");
    const again = staged("load/2024-02/1.log", "again\n");
    uploads.ended(again);
    await uploads[Symbol.asyncDispose]();
    expect(files).toContain(again);
    expect(await textOf("load/2024-02/1.log")).toBe("of another, and torn\nours\nagain\n");
  });

  it("are uploaded eight at a time, however many there are", async () => {
    const gate = Promise.withResolvers<void>();
    server.fail(isPut, ...Array.from({ length: 30 }, () => ({ do: "wait", until: gate.promise }) as const));
    await using uploads = uploading();
    for (let i = 0; i < 30; i++) uploads.ended(staged(`load/${i}/1.log`, `${i}\n`));
    await server.arrived(isPut, 8);
    await new Promise((resolve) => setImmediate(resolve));
    expect(server.requests.filter(isPut)).toHaveLength(8);
    gate.resolve();
    await uploads[Symbol.asyncDispose]();
    expect(server.requests.filter(isPut)).toHaveLength(30);
    expect(filesLeft()).toEqual([]);
  });
});

describe("where a bucket", () => {
  const isLeft =
    /^a log isn't in s3:\/\/lake\/logs: what is missing there is in .*lake\/7, and the next process of the run on this machine uploads it$/;
  const cant = /^logs can't be uploaded to s3:\/\/lake\/logs, so that they stay in .*lake\/7 and are tried again /;

  it("doesn't answer, nothing waits for it, it is said once, and what isn't there is said and kept", async () => {
    const closed = createServer().listen(0, "127.0.0.1");
    await new Promise((resolve) => closed.once("listening", resolve));
    const { port } = closed.address() as { port: number };
    await new Promise((resolve) => closed.close(resolve));
    await using uploads = uploading(
      { flushMs: 5, patienceMs: 100 },
      `s3://lake/logs?endpoint=http://127.0.0.1:${port}&region=x`,
    );
    uploads.ended(staged("load/2024-01/1.log", "one\n"));
    await until(() => warnings.length > 0);
    await uploads[Symbol.asyncDispose]();
    await uploads[Symbol.asyncDispose]();
    expect(warnings).toEqual([expect.stringMatching(cant), expect.stringMatching(isLeft)]);
    expect(filesLeft()).toEqual(["1.log"]);
  });

  it("refuses the credentials, that is said", async () => {
    vi.stubEnv("AWS_ACCESS_KEY_ID", "ANOTHER");
    await using uploads = uploading();
    uploads.ended(staged("load/2024-01/1.log", "one\n"));
    await uploads[Symbol.asyncDispose]();
    expect(warnings).toEqual([expect.stringMatching(cant), expect.stringMatching(isLeft)]);
    expect(warnings[0]).not.toContain(SECRET_KEY);
    expect(filesLeft()).toEqual(["1.log"]);
  });

  it("is slow, the end of the run waits no longer than its patience", async () => {
    const gate = Promise.withResolvers<void>();
    server.fail(isPut, { do: "wait", until: gate.promise });
    await using uploads = uploading({ patienceMs: 50 });
    uploads.ended(staged("load/2024-01/1.log", "one\n"));
    await uploads[Symbol.asyncDispose]();
    gate.resolve();
    expect(warnings).toEqual([expect.stringMatching(isLeft)]);
    expect(filesLeft()).toEqual(["1.log"]);
  });

  it("is there again, the logs are uploaded that it didn't take", async () => {
    server.fail(isPut, ...Array.from({ length: 5 }, () => ({ do: "answer", status: 503, code: "SlowDown" }) as const));
    await using uploads = uploading({ flushMs: 5 });
    uploads.ended(staged("load/2024-01/1.log", "one\n"));
    await until(() => warnings.length > 0);
    await until(() => filesLeft().length === 0);
    expect(await textOf("load/2024-01/1.log")).toBe("one\n");
    await uploads[Symbol.asyncDispose]();
    expect(warnings).toEqual([expect.stringMatching(cant)]);
  });
});
