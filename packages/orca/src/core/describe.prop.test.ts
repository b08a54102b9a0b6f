import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { describePipeline } from "./describe.ts";
import { definePipeline } from "./pipeline-definition.ts";
import { daily, keyed, monthly } from "./partitions.ts";
import { cron } from "./schedule/cron.ts";
import { defineStep, type StepDefinition } from "./step-definition.ts";

const name = fc.stringMatching(/^[A-Za-z0-9_][A-Za-z0-9._-]{0,20}$/);
const optional = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: undefined });
/** Leaves out what is undefined, as options that aren't given are. */
const given = (options: Record<string, unknown>) =>
  Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined));

const stepOptions = fc.record({
  retries: optional(fc.nat({ max: 5 })),
  timeout: optional(fc.constantFrom("1ms", "30s", "1.5h", "24d")),
  reads: optional(fc.array(fc.constantFrom("lake.raw", "lake.clean"), { maxLength: 2 })),
  writes: optional(fc.array(fc.constantFrom("lake.clean", "lake.report"), { maxLength: 2 })),
});
const timed = fc.record({
  partitions: fc.constantFrom(monthly("2024-01"), daily("2024-02-29")),
  schedule: optional(fc.constantFrom(cron("@daily"), cron("*/5 1-3 * jan mon", "Asia/Tokyo"))),
  fills: optional(fc.constantFrom("current", "previous")),
  catchup: optional(fc.boolean()),
});
const byName = fc.record({
  partitions: fc.constant(keyed("lake.raw", "id")),
  keysPerRun: optional(fc.integer({ min: 1, max: 1000 })),
});
const pipelines = fc.record({
  name,
  names: fc.uniqueArray(name, { minLength: 1, maxLength: 6 }),
  options: fc.infiniteStream(stepOptions),
  rest: fc.oneof(timed, byName),
  concurrency: optional(fc.integer({ min: 1, max: 64 })),
});

type Shape = typeof pipelines extends fc.Arbitrary<infer T> ? T : never;

/** A chain of mapped steps that ends in a gather step. */
function build({ name: pipelineName, names, options, rest, concurrency }: Shape) {
  const steps: StepDefinition[] = [];
  const each = options[Symbol.iterator]();
  for (const [i, stepName] of names.entries()) {
    const after = steps.at(-1);
    const kind = i === names.length - 1 ? "gather" : "mapped";
    steps.push(defineStep(kind, stepName, [given({ ...each.next().value, after }), () => 1]));
  }
  return definePipeline(pipelineName, given({ ...rest, steps, concurrency }));
}

describe("describe", () => {
  it("is JSON that parses to itself, the same for the same pipeline, with its steps in order", () => {
    fc.assert(
      fc.property(pipelines, (shape) => {
        const pipeline = build(shape);
        const code = {
          hash: "0x1",
          steps: pipeline.steps.map((s) => ({ name: s.name, hash: `0x${s.name}` })),
          tasks: [],
        };
        const described = describePipeline(pipeline, code, { commit: null });
        const text = JSON.stringify(described);
        expect(JSON.parse(text)).toStrictEqual(described);
        expect(JSON.stringify(describePipeline(pipeline, code, { commit: null }))).toBe(text);
        expect(described).toMatchObject({
          pipeline: shape.name,
          hash: "0x1",
          steps: pipeline.steps.map((s) => ({ name: s.name, kind: s.kind, after: s.after, hash: `0x${s.name}` })),
        });
      }),
    );
  });

  it("knows no hash of what wasn't built", () => {
    const pipeline = definePipeline("p", {
      steps: [defineStep("mapped", "__proto__", [() => 1])],
      partitions: monthly("2024-01"),
    });
    expect(describePipeline(pipeline, null, null)).toMatchObject({ hash: null, source: null, steps: [{ hash: null }] });
    const code = { hash: "0x1", steps: [], tasks: [] };
    expect(describePipeline(pipeline, code, null)).toMatchObject({ steps: [{ name: "__proto__", hash: null }] });
  });
});
