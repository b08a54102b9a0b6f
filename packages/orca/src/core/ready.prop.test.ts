import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { GATHERED, Ready, type StepStatus, type Unit } from "./ready.ts";
import { defineStep, type StepDefinition } from "./step-definition.ts";

/** Steps in run order, each following some of those before it; a mapped step follows no gather step. */
const steps = fc
  .array(fc.record({ isGather: fc.boolean(), follows: fc.array(fc.nat({ max: 9 }), { maxLength: 3 }) }), {
    minLength: 1,
    maxLength: 7,
  })
  .map((shapes) => {
    const made: StepDefinition[] = [];
    for (const [i, { isGather, follows }] of shapes.entries()) {
      const before = made.filter((s) => isGather || s.kind === "mapped");
      const after = [...new Set(follows.map((n) => before[n % Math.max(1, before.length)]))].filter(
        (s) => s !== undefined,
      );
      const options = after.length === 0 ? {} : { after };
      made.push(defineStep(isGather ? "gather" : "mapped", `s${i}`, [options, () => 1]));
    }
    return made;
  });

const runs = fc.record({
  steps,
  partitionCount: fc.integer({ min: 1, max: 5 }),
  concurrency: fc.integer({ min: 1, max: 4 }),
  // which of the running units ends next, and how
  ends: fc.infiniteStream(fc.record({ which: fc.nat(), succeeds: fc.boolean() })),
});

describe("which steps are ready", () => {
  it("runs each step once after all that it follows, skips what can't run, and works on no more partitions than it may", () => {
    fc.assert(
      fc.property(runs, ({ steps, partitionCount, concurrency, ends }) => {
        const ready = new Ready(steps, partitionCount, concurrency);
        const ended = new Map<string, StepStatus>();
        const started = new Set<string>();
        const running: Unit[] = [];
        const nameOf = ({ step, partition }: Unit) => `${step}/${partition}`;
        const unitsOf = (step: number) =>
          steps[step]!.kind === "gather" ? [GATHERED] : Array.from({ length: partitionCount }, (_, i) => i);
        const followed = ({ step, partition }: Unit) =>
          steps[step]!.follows.flatMap((f) => {
            const index = steps.indexOf(f);
            return (partition === GATHERED ? unitsOf(index) : [partition]).map((p) => ended.get(`${index}/${p}`));
          });
        for (const { which, succeeds } of ends) {
          for (let unit = ready.take(); unit !== undefined; unit = ready.take()) {
            expect(started.has(nameOf(unit))).toBe(false);
            expect(followed(unit).every((status) => status === "succeeded")).toBe(true);
            started.add(nameOf(unit));
            running.push(unit);
          }
          expect(
            new Set(running.flatMap((u) => (u.partition === GATHERED ? [] : [u.partition]))).size,
          ).toBeLessThanOrEqual(concurrency);
          if (running.length === 0) break;
          const [unit] = running.splice(which % running.length, 1);
          ended.set(nameOf(unit!), succeeds ? "succeeded" : "failed");
          for (const skipped of ready.end(unit!, succeeds ? "succeeded" : "failed")) {
            expect(followed(skipped).some((status) => status === "failed" || status === "skipped")).toBe(true);
            ended.set(nameOf(skipped), "skipped");
          }
        }
        expect(ready.isDone).toBe(true);
        const all = steps.flatMap((_, step) => unitsOf(step).map((partition) => ({ step, partition })));
        expect(ended.size).toBe(all.length);
        for (const unit of all) expect(ready.status(unit)).toBe(ended.get(nameOf(unit)));
        for (const [i] of steps.entries()) expect(ready.counts(i).waiting + ready.counts(i).running).toBe(0);
      }),
      { numRuns: 2000 },
    );
  });
});
