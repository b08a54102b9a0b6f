import { expect, it } from "vitest";
import { pipelinesDownstream, type DownstreamPipeline } from "./downstream.ts";

const pipeline = (
  name: string,
  reads: string[],
  writes: string[],
  kind: "daily" | "monthly" = "daily",
): DownstreamPipeline => ({
  pipeline: name,
  partitions: { kind, start: kind === "daily" ? "2024-01-01" : "2024-01" },
  sensor: false,
  steps: [{ reads, writes }],
});

const levels = (pipelines: DownstreamPipeline[], keys: string[], dataset = "l.raw") =>
  pipelinesDownstream(pipelines, dataset, keys).map((one) => `${one.level} ${one.pipeline} ${one.keys.join(",")}`);

it("runs each pipeline once, after all that it reads from", () => {
  const pipelines = [
    pipeline("c", ["l.a", "l.b"], ["l.c"]),
    pipeline("a", ["l.raw"], ["l.a"]),
    pipeline("b", ["l.a", "l.raw"], ["l.b"]),
    pipeline("other", ["l.x"], ["l.y"]),
  ];
  expect(levels(pipelines, ["2024-03-01"])).toEqual(["0 a 2024-03-01", "1 b 2024-03-01", "2 c 2024-03-01"]);
});

it("takes days for their month, and a month for its days", () => {
  const pipelines = [pipeline("report", ["l.raw"], ["l.sum"], "monthly"), pipeline("back", ["l.sum"], ["l.back"])];
  const [report, back] = levels(pipelines, ["2024-02-03", "2024-02-28"]);
  expect(report).toBe("0 report 2024-02");
  expect(back).toMatch(/^1 back 2024-02-01,2024-02-02,.*,2024-02-29$/);
});

it("leaves out what has no such partition, what writes the dataset itself, and what is upstream", () => {
  const pipelines = [
    pipeline("ingest", ["l.raw"], ["l.raw", "l.clean"]),
    pipeline("old", ["l.raw"], ["l.old"]),
    pipeline("source", ["l.source"], ["l.raw"]),
  ];
  expect(levels(pipelines, ["2023-01-01"])).toEqual([]);
  expect(levels(pipelines, ["2024-01-01"])).toEqual(["0 old 2024-01-01"]);
});

it("takes time in proportion to what there is, however many ways lead to a pipeline", () => {
  const layers = Array.from({ length: 40 }, (_, i) => [
    pipeline(`a${i}`, [`l.a${i}`, `l.b${i}`], [`l.a${i + 1}`]),
    pipeline(`b${i}`, [`l.a${i}`, `l.b${i}`], [`l.b${i + 1}`]),
  ]).flat();
  const found = pipelinesDownstream(layers, "l.a0", ["2024-01-01"]);
  expect(found).toHaveLength(80);
  expect(found.at(-1)).toMatchObject({ level: 39 });
});
