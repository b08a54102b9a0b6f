import { describe, expect, it } from "vitest";
import { described } from "../../core/described.fixture.ts";
import { addCounts, countsOf, keyStateOf, totalOf, type KeyFacts } from "./key-states.ts";

const steps = [
  { name: "load", kind: "mapped", after: [], hash: "0xa", reads: [], writes: [] },
  { name: "sum", kind: "mapped", after: [], hash: "0xb", reads: [], writes: [] },
] as const;
const lake = described("lake", { steps });
const facts = (given: Partial<KeyFacts> = {}): KeyFacts => ({
  hashes: null,
  live: null,
  failure: null,
  failedStep: null,
  ...given,
});
const now = { load: "0xa", sum: "0xb" };

describe("a partition", () => {
  it.each([
    ["missing, if nothing is known of it", {}, "missing"],
    ["done, if every step is with its present code", { hashes: now }, "done"],
    ["stale, if a step is with other code", { hashes: { ...now, sum: "0xold" } }, "stale"],
    ["stale, if a step hasn't been", { hashes: { load: "0xa" } }, "stale"],
    ["failed, if its last run did, though it was done before", { hashes: now, failure: "failed" }, "failed"],
    ["done, if its last run was cancelled", { hashes: now, failure: "cancelled" }, "done"],
    ["cancelled, if it wasn't done before", { hashes: { load: "0xold" }, failure: "cancelled" }, "cancelled"],
    ["running, whatever it was", { hashes: now, failure: "failed", live: "running" }, "running"],
    ["queued, whatever it was", { live: "queued" }, "queued"],
  ] as const)("is %s", (_what, given, state) => {
    expect(keyStateOf(facts(given), lake)).toBe(state);
  });

  it("is looked at by one step: what another failed in doesn't make it fail", () => {
    const failed = facts({ hashes: { load: "0xa" }, failure: "failed", failedStep: "sum" });
    expect(keyStateOf(failed, lake, "load")).toBe("done");
    expect(keyStateOf(failed, lake, "sum")).toBe("failed");
    expect(keyStateOf(facts({ hashes: { load: "0xa" } }), lake, "sum")).toBe("missing");
  });

  it("of a pipeline of gather steps alone is done by its run's success, with the pipeline's code", () => {
    const gathering = described("lake", { hash: "0x1", steps: [{ ...steps[0], kind: "gather" }] });
    expect(keyStateOf(facts({ hashes: { "": "0x1" } }), gathering)).toBe("done");
    expect(keyStateOf(facts({ hashes: { "": "0x0" } }), gathering)).toBe("stale");
  });
});

it("counts what is alike together, also where some is taken off", () => {
  const groups = [
    { ...facts({ hashes: now }), count: 10 },
    { ...facts({ hashes: now, live: "queued" }), count: 2 },
    { ...facts({ hashes: now }), count: -2 },
  ];
  const counts = countsOf(groups, lake);
  expect(counts).toEqual({ done: 8, queued: 2 });
  expect(totalOf(addCounts([counts, { missing: 1 }]))).toBe(11);
});
