import { mkdtempDisposableSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { openObjectStore } from "@orcajs/objectstore";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { ACCESS_KEY, type S3Server, SECRET_KEY, startS3 } from "../../../objectstore/src/s3/s3-server.fixture.ts";
import { LOG_BYTES_MAX, readLog, type LogRange } from "./read-log.ts";

const LOG = "0123456789\n".repeat(200_000);
const work = mkdtempDisposableSync(path.join(tmpdir(), "orca-read-log-"));
let server: S3Server;
let logs: string;

beforeAll(async () => {
  vi.stubEnv("AWS_ACCESS_KEY_ID", ACCESS_KEY);
  vi.stubEnv("AWS_SECRET_ACCESS_KEY", SECRET_KEY);
  server = await startS3("lake");
  logs = `s3://lake/logs?endpoint=${server.endpoint}&region=eu-west-1`;
  await using store = openObjectStore(logs);
  for (const [name, text] of [
    ["1.log", LOG],
    ["empty.log", ""],
  ] as const) {
    await store.put(name, text);
    writeFileSync(path.join(work.path, name), text);
  }
});
afterAll(async () => {
  await server[Symbol.asyncDispose]();
  work.remove();
  vi.unstubAllEnvs();
});

describe.each([
  ["a folder", (name: string) => path.join(work.path, name)],
  ["a bucket", (name: string) => `s3://lake/logs/${name}`],
])("a log in %s", (_where, at) => {
  const read = async (range: LogRange, name = "1.log") => {
    const part = await readLog(at(name), range, logs);
    return part && { ...part, bytes: new TextDecoder().decode(part.bytes) };
  };
  const size = LOG.length;

  it.each([
    [
      { start: 0, end: 5 },
      { bytes: "01234", start: 0, size },
    ],
    [{ start: size - 3 }, { bytes: "89\n", start: size - 3, size }],
    [
      { start: size - 3, end: size + 9 },
      { bytes: "89\n", start: size - 3, size },
    ],
    [{ last: 4 }, { bytes: "789\n", start: size - 4, size }],
    [{ start: size }, { bytes: "", start: size, size }],
    [{ start: size + 100 }, { bytes: "", start: size, size }],
    [
      { start: 5, end: 5 },
      { bytes: "", start: 5, size },
    ],
  ] satisfies (readonly [LogRange, object])[])("is read in part: %o", async (range, part) => {
    expect(await read(range)).toEqual(part);
  });

  it("is read a megabyte at a time, however long it is", async () => {
    const first = (await read({ start: 0 }))!;
    expect(first.bytes).toHaveLength(LOG_BYTES_MAX);
    let text = "";
    for (let part: Awaited<ReturnType<typeof read>>; (part = await read({ start: text.length }))!.bytes !== "";)
      text += part!.bytes;
    expect(text).toBe(LOG);
    expect((await read({ last: size }))!.bytes).toHaveLength(LOG_BYTES_MAX);
  });

  it("is empty, or isn't there", async () => {
    expect(await read({ last: 10 }, "empty.log")).toEqual({ bytes: "", start: 0, size: 0 });
    expect(await read({ start: 0 }, "none.log")).toBe(undefined);
  });
});

it("a log that can't be read is told with its location", async () => {
  vi.stubEnv("AWS_ACCESS_KEY_ID", "ANOTHER");
  const reading = readLog("s3://lake/logs/1.log", { start: 0 }, logs);
  await expect(reading).rejects.toMatchObject({
    code: "logs-unreachable",
    message: expect.stringContaining("the log s3://lake/logs/1.log can't be read: ") as string,
  });
});
