import { task } from "@orcajs/dista";
import { describe, expect, it, vi } from "vitest";
import { daily, keyed, monthly } from "./partitions.ts";
import { definePipeline } from "./pipeline-definition.ts";
import { cron, isCron } from "./schedule/cron.ts";
import { defineStep } from "./step-definition.ts";

const first = defineStep("mapped", "first", [() => 1]);
const values = [
  cron("@daily"),
  monthly("2024-01"),
  daily("2024-01-31"),
  keyed("av2.logs", "log_id"),
  first,
  definePipeline("p", { steps: [first], partitions: monthly("2024-01") }),
];

describe("what a constructor makes", () => {
  it.each(values)("is frozen, and written as JSON without its mark (%o)", (value) => {
    expect(Object.isFrozen(value)).toBe(true);
    expect(Object.keys(value)).toEqual(Reflect.ownKeys(value).filter((key) => typeof key === "string"));
  });

  it("is known by another copy of this package, and a copy of it isn't", async () => {
    vi.resetModules();
    const other = await import("./schedule/cron.ts");
    expect(other.isCron).not.toBe(isCron);
    expect(other.isCron(cron("@daily"))).toBe(true);
    expect(other.isCron({ ...cron("@daily") })).toBe(false);
  });

  it("isn't taken for what another constructor makes", () => {
    expect(() => definePipeline("p", { steps: [cron("@daily")], partitions: monthly("2024-01") })).toThrow(
      "pipeline 'p''s steps holds an object (cron, timeZone), which isn't a step",
    );
    expect(() => definePipeline("p", { steps: [first], partitions: cron("@daily") })).toThrow(
      "pipeline 'p' has an object (cron, timeZone) as its partitions",
    );
    expect(() => definePipeline("p", { steps: [first], partitions: first })).toThrow(
      "pipeline 'p' has mapped 'first' as its partitions",
    );
    expect(() =>
      definePipeline("p", { steps: [first], partitions: monthly("2024-01"), schedule: monthly("2024-01") }),
    ).toThrow("pipeline 'p''s schedule is an object (kind, start)");
  });
});

describe("a definition", () => {
  it("stays as it was when the arrays that it was given change", () => {
    const given = { after: [first], reads: ["lake.raw"], writes: ["lake.clean"], tasks: [task("t", async () => 1)] };
    const step = defineStep("gather", "second", [given, () => 1]);
    const steps = [first, step];
    const pipeline = definePipeline("p", { steps, partitions: monthly("2024-01") });
    for (const array of [...Object.values(given), steps]) array.length = 0;
    expect(step).toMatchObject({ after: ["first"], reads: ["lake.raw"], writes: ["lake.clean"] });
    expect(step.follows).toEqual([first]);
    expect(step.tasks.map((t) => t.name)).toEqual(["t"]);
    expect(pipeline.steps).toEqual([first, step]);
  });

  it.each([first, defineStep("gather", "second", [{ after: first, reads: ["lake.raw"] }, () => 1])])(
    "holds arrays that can't be changed (%o)",
    (step) => {
      for (const array of [step.after, step.follows, step.reads, step.writes, step.tasks])
        expect(Object.isFrozen(array)).toBe(true);
    },
  );
});
