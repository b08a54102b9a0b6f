import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { POINTS, readMetrics } from "./machine-metrics.ts";
import { filesIn, placeOfRun } from "./run-files.ts";

const FROM = new Date("2024-01-01T00:00:00Z");
const TO = new Date(FROM.getTime() + (POINTS - 1) * 1_000); // a point a second
const sample = (second: number, given: object = {}) =>
  `${JSON.stringify({
    at: new Date(FROM.getTime() + second * 1_000).toISOString(),
    cpu: 0.5,
    steal: 0,
    memoryUsed: 4e9,
    memoryTotal: 16e9,
    diskUsed: 1,
    diskTotal: 4,
    diskRead: 1e6,
    diskWritten: 2e6,
    networkReceived: null,
    networkSent: null,
    ...given,
  })}\n`;

describe("what machines did", () => {
  let place: string;
  beforeAll(async () => {
    place = join(await mkdtemp(join(tmpdir(), "orca-metrics-")), "lake", "7");
    await mkdir(join(place, "metrics"), { recursive: true });
    const lines = [0, 2, 4, 6].map((second) => sample(second)).join("");
    const peak = sample(8, { cpu: 0.2, memoryUsed: 15e9 }) + sample(8.2, { cpu: 1 });
    await writeFile(join(place, "metrics", "one.jsonl"), `${lines}${peak}${sample(60)}{"at":"2024-`);
    await writeFile(join(place, "metrics", "nothing.jsonl"), "not JSON\n");
  });
  afterAll(() => rm(join(place, "..", ".."), { recursive: true }));

  it("is thinned to points in time: of some samples the highest, between two the way from one to the other, and gaps are gaps", async () => {
    const { machines } = await readMetrics(place, { from: FROM, to: TO }, undefined);
    expect(machines.map((machine) => machine.name)).toEqual(["one"]);
    const [one] = machines;
    expect(one!.cpu.slice(0, 10)).toEqual([50, 50, 50, 50, 50, 50, 50, 75, 100, null]);
    expect(one!.memory[8]).toBe(94);
    expect(one!.disk[0]).toBe(3e6);
    expect(one!.network[0]).toBeNull();
    expect(one!.cpu[30]).toBeNull();
    expect(one!.cpu[60]).toBe(50);
  });

  it("is nothing where nothing was written", async () => {
    expect((await readMetrics(`${place}x`, { from: FROM, to: TO }, undefined)).machines).toEqual([]);
    expect(await filesIn(`${place}x`, undefined)).toEqual([]);
  });

  it("is beside the logs of the run's attempts, or where logs are now", () => {
    const run = { pipeline: "loadAll", run: 7 };
    const log = "/old/load=All/7/load/a/1.log";
    expect(placeOfRun({ ...run, log }, "/new")).toBe("/old/load=All/7");
    expect(placeOfRun({ ...run, log: null }, "/new")).toBe("/new/load=All/7");
    expect(placeOfRun({ ...run, log: null }, "s3://bucket/logs?region=x")).toBe("s3://bucket/logs/load=All/7");
    expect(placeOfRun({ ...run, log: "s3://b/load=All/7/sum/1.log" }, undefined)).toBe("s3://b/load=All/7");
    expect(placeOfRun({ ...run, log: null }, undefined)).toBeUndefined();
  });
});
