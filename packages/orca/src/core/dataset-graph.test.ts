import { expect, it } from "vitest";
import { checkDatasetGraph, type PipelineDatasets } from "./dataset-graph.ts";
import { describePipeline } from "./describe.ts";
import { OrcaError } from "./errors.ts";
import { daily, keyed, monthly, type Partitions } from "./partitions.ts";
import { definePipeline } from "./pipeline-definition.ts";
import { defineStep } from "./step-definition.ts";

interface Shape {
  readonly reads?: readonly string[];
  readonly writes?: readonly string[];
  readonly partitions?: Partitions;
  readonly sensor?: boolean;
}

/** What `describe` says of a pipeline of one step, as a scheduler has it. */
function described(
  name: string,
  { reads = [], writes = [], partitions = daily("2024-01-01"), sensor = false }: Shape,
): PipelineDatasets {
  const steps = [defineStep("mapped", "step", [{ reads, writes }, () => 1])];
  const text = JSON.stringify(describePipeline(definePipeline(name, { steps, partitions, sensor }), null, null));
  return JSON.parse(text) as PipelineDatasets;
}

function refusal(others: readonly PipelineDatasets[], pipeline: PipelineDatasets): OrcaError | undefined {
  try {
    checkDatasetGraph(others, pipeline);
    return undefined;
  } catch (error) {
    if (error instanceof OrcaError) return error;
    throw error;
  }
}

it("a cycle is refused with its whole path", () => {
  const a = described("a", { reads: ["lake.y"], writes: ["lake.x"] });
  const b = described("b", { reads: ["lake.x"], writes: ["lake.y"] });
  expect(refusal([a], b)).toMatchObject({
    code: "dataset-cycle",
    message:
      "pipelines would wait for each other: b writes lake.y, which a reads; a writes lake.x, which b reads. Let one of them write another dataset",
  });
  expect(refusal([b], a)?.message).toContain("a writes lake.x, which b reads; b writes lake.y, which a reads.");
});

it("the shortest of several cycles is named", () => {
  const first = described("first", { reads: ["lake.far", "lake.near"], writes: ["lake.x"] });
  const far = [
    described("far1", { reads: ["lake.x"], writes: ["lake.between"] }),
    described("far2", { reads: ["lake.between"], writes: ["lake.far"] }),
  ];
  const near = described("near", { reads: ["lake.x"], writes: ["lake.near"] });
  expect(refusal([...far, near], first)?.message).toContain(
    ": first writes lake.x, which near reads; near writes lake.near, which first reads.",
  );
});

it("a pipeline may read what it writes itself, also where others write and read it", () => {
  const self = described("self", { reads: ["lake.x"], writes: ["lake.x"] });
  expect(refusal([], self)).toBeUndefined();
  const writer = described("writer", { reads: ["lake.raw"], writes: ["lake.x"] });
  const reader = described("reader", { reads: ["lake.x"], writes: ["lake.y"] });
  expect(refusal([writer, reader], self)).toBeUndefined();
});

it("another that reads and writes a pipeline's own dataset closes a cycle", () => {
  const self = described("self", { reads: ["lake.x"], writes: ["lake.x"] });
  const other = described("other", { reads: ["lake.x"], writes: ["lake.x"] });
  expect(refusal([other], self)?.message).toContain("self writes lake.x, which other reads; other writes lake.x");
});

it("keys are read too", () => {
  const labels = described("labels", { writes: ["lake.labels"], partitions: keyed("lake.logs", "log") });
  const found = described("found", { reads: ["lake.labels"], writes: ["lake.logs"] });
  expect(refusal([labels], found)?.message).toContain(
    "found writes lake.logs, which labels takes its keys from; labels writes lake.labels, which found reads",
  );
});

it("a new version takes the place of the one before", () => {
  const a = described("a", { reads: ["lake.y"], writes: ["lake.x"] });
  const before = described("b", { reads: ["lake.x"], writes: ["lake.y"] });
  const after = described("b", { reads: ["lake.x"], writes: ["lake.z"] });
  expect(refusal([a, before], after)).toBeUndefined();
});

it("tables by their location are no part of the graph", () => {
  const a = described("a", { reads: ["s3://bucket/y"], writes: ["/data/x"] });
  const b = described("b", { reads: ["/data/x"], writes: ["s3://bucket/y"] });
  expect(refusal([a], b)).toBeUndefined();
});

it("a sensor over months or days is refused on what a keyed pipeline writes, and the other way round", () => {
  const byName = keyed("lake.logs", "log");
  const labels = described("labels", { writes: ["lake.labels"], partitions: byName });
  const report = described("report", { reads: ["lake.labels"], partitions: monthly("2024-01"), sensor: true });
  expect(refusal([labels], report)).toMatchObject({
    code: "partitions-mixed",
    message:
      "labels writes lake.labels, which report reads: labels has names and the sensor report months, and nothing says which of the ones the others are. Partition both alike, or leave sensor out of report",
  });
  expect(refusal([report], labels)?.message).toBe(refusal([labels], report)?.message);
  const dated = described("dated", { writes: ["lake.days"] });
  const sensor = described("sensor", { reads: ["lake.days"], partitions: byName, sensor: true });
  expect(refusal([dated], sensor)?.code).toBe("partitions-mixed");
});

it("mixes are no mistake without a sensor, among days and months, of a pipeline's own, and of a keyed sensor's keys", () => {
  const byName = keyed("lake.logs", "log");
  const labels = described("labels", { writes: ["lake.labels"], partitions: byName });
  expect(refusal([labels], described("report", { reads: ["lake.labels"] }))).toBeUndefined();
  const days = described("days", { writes: ["lake.days"] });
  const months = described("months", { reads: ["lake.days"], partitions: monthly("2024-01"), sensor: true });
  expect(refusal([days], months)).toBeUndefined();
  const logs = described("logs", { writes: ["lake.logs"] });
  const onKeys = described("onKeys", { reads: ["lake.logs"], partitions: byName, sensor: true });
  expect(refusal([logs], onKeys)).toBeUndefined();
  const own = described("own", { reads: ["lake.own"], writes: ["lake.own"], sensor: true });
  expect(refusal([], own)).toBeUndefined();
});
