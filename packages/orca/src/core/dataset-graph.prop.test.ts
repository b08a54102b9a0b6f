import fc from "fast-check";
import { expect, it } from "vitest";
import { type DatasetLink, mixedLink, type PipelineDatasets, shortestCycle } from "./dataset-graph.ts";

const datasets = fc.subarray(["lake.a", "lake.b", "lake.c", "lake.d", "lake.e"], { maxLength: 3 });
const partitions = fc.oneof(
  fc.constantFrom("monthly" as const, "daily" as const).map((kind) => ({ kind })),
  datasets.map(([dataset = "lake.f"]) => ({ kind: "keyed" as const, dataset, column: "key" })),
);
const step = fc.record({ reads: datasets, writes: datasets });
const pipelines = fc
  .array(fc.record({ partitions, sensor: fc.boolean(), steps: fc.array(step, { maxLength: 2 }) }), {
    minLength: 1,
    maxLength: 6,
  })
  .map((shapes) => shapes.map((shape, i) => ({ pipeline: `p${i}`, ...shape }) satisfies PipelineDatasets));

/** Every link between two pipelines, one by one. */
function linksOf(all: readonly PipelineDatasets[]): readonly DatasetLink[] {
  return all.flatMap((writer) =>
    all.flatMap((reader) =>
      ["lake.a", "lake.b", "lake.c", "lake.d", "lake.e"]
        .filter((dataset) => writer !== reader && writer.steps.some((s) => s.writes.includes(dataset)))
        .filter((dataset) => isKeysOf(reader, dataset) || reader.steps.some((s) => s.reads.includes(dataset)))
        .map((dataset) => ({ writer, dataset, reader })),
    ),
  );
}

function isKeysOf({ partitions: p }: PipelineDatasets, dataset: string): boolean {
  return p.kind === "keyed" && p.dataset === dataset;
}

/** The length of the shortest way to `to` that meets no pipeline twice, by trying all. */
function shortestWay(
  links: readonly DatasetLink[],
  from: PipelineDatasets,
  to: PipelineDatasets,
  met: readonly PipelineDatasets[],
): number {
  const lengths = links
    .filter(({ writer, reader }) => writer === from && !met.includes(reader))
    .map(({ reader }) => (reader === to ? 1 : 1 + shortestWay(links, reader, to, [...met, reader])));
  return Math.min(Infinity, ...lengths);
}

it("a cycle is found wherever trying every way finds one, as short, and each of its links is there", () => {
  fc.assert(
    fc.property(pipelines, (all) => {
      const [start] = all;
      const links = linksOf(all);
      const cycle = shortestCycle(all, start!);
      expect(cycle?.length ?? Infinity).toBe(shortestWay(links, start!, start!, []));
      for (const [i, link] of (cycle ?? []).entries()) {
        expect(links).toContainEqual(link);
        expect(link.reader).toBe((cycle![i + 1] ?? cycle![0]!).writer);
      }
      expect(cycle?.[0]?.writer ?? start).toBe(start);
    }),
    { numRuns: 2_000 },
  );
});

it("a mix is found wherever looking at every link finds one", () => {
  fc.assert(
    fc.property(pipelines, (all) => {
      const [pipeline] = all;
      const mixes = linksOf(all).filter(({ writer, dataset, reader }) => {
        const isKeyed = [writer, reader].map((p) => p.partitions.kind === "keyed");
        const isOf = writer === pipeline || reader === pipeline;
        return isOf && reader.sensor && isKeyed[0] !== isKeyed[1] && !isKeysOf(reader, dataset);
      });
      const found = mixedLink(all, pipeline!);
      expect(found === undefined).toBe(mixes.length === 0);
      expect([...mixes, undefined]).toContainEqual(found);
    }),
    { numRuns: 2_000 },
  );
});
