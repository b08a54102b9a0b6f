import { existsSync, mkdirSync, mkdtempDisposableSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { ACCESS_KEY, type S3Server, SECRET_KEY, startS3 } from "../../../objectstore/src/s3/s3-server.fixture.ts";
import { logPlace } from "../logs/log-place.ts";
import { readLog } from "../logs/read-log.ts";
import { DriverLogs } from "./driver-logs.ts";

let server: S3Server;
let logs: string;
const work = mkdtempDisposableSync(path.join(tmpdir(), "orca-drivers-"));
beforeAll(async () => {
  vi.stubEnv("AWS_ACCESS_KEY_ID", ACCESS_KEY);
  vi.stubEnv("AWS_SECRET_ACCESS_KEY", SECRET_KEY);
  server = await startS3("lake");
  logs = `s3://lake/logs?endpoint=${server.endpoint}&region=eu-west-1`;
});
afterAll(async () => {
  await server[Symbol.asyncDispose]();
  work.remove();
  vi.unstubAllEnvs();
});

const processOf = (launch: number) => ({ pipeline: "lake", run: 7, launch });

function printed(drivers: DriverLogs, launch: number, text: string): string {
  const file = drivers.fileOf(processOf(launch));
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, text);
  return file;
}

it("in a bucket each process of a run has what it printed, also if no scheduler saw it end", async () => {
  const drivers = new DriverLogs(logPlace(logs, work.path));
  const first = printed(drivers, 1, "one\n");
  await drivers.written(first);
  const [second, third] = [printed(drivers, 2, "two\n"), printed(drivers, 3, "thr")];
  await drivers.uploadLeft(async (runs) => {
    expect(runs).toEqual([7, 7]);
    return [{ run: 7, launch: 3 }];
  });
  expect([first, second, third].map((file) => existsSync(file))).toEqual([false, false, true]);
  const there = async (launch: number) => {
    const part = await readLog(drivers.locationOf(processOf(launch)), { start: 0 }, logs);
    return part && new TextDecoder().decode(part.bytes);
  };
  expect(await Promise.all([1, 2, 3].map(there))).toEqual(["one\n", "two\n", undefined]);
});

it("what can't be uploaded stays, and is told", async () => {
  const drivers = new DriverLogs(logPlace("s3://lake/logs?endpoint=http://127.0.0.1:9&region=eu-west-1", work.path));
  const file = printed(drivers, 1, "one\n");
  await expect(drivers.uploadLeft(async () => [])).rejects.toMatchObject({
    code: "logs-unreachable",
    message: expect.stringMatching(/can't be uploaded to s3:\/\/lake\/logs, and stays in .*\.drivers until/) as string,
  });
  expect(existsSync(file)).toBe(true);
});
