import { describe, expect, it } from "vitest";
import { costOf, datasetText, SMALLEST, stepsText } from "./generated.ts";

/**
 * What each program takes beyond the smallest one (1,871), as measured with TypeScript 7.0.2. A test fails at a fifth more: then a type has
 * become dearer for every user. A change that is worth it measures anew; one that makes them cheaper does too.
 */
const MEASURED = [
  { name: "30 steps", text: stepsText(30), instantiations: 22_082 },
  { name: "100 steps", text: stepsText(100), instantiations: 122_966 },
  { name: "a dataset of 10 columns", text: datasetText(10), instantiations: 8_777 },
  { name: "a dataset of 50 columns", text: datasetText(50), instantiations: 16_057 },
];

describe("the compiler's work", () => {
  const smallest = costOf(SMALLEST).instantiations;

  it.each(MEASURED)("on $name is at most a fifth over what was measured", ({ text, instantiations }) => {
    const taken = costOf(text).instantiations - smallest;
    expect(taken).toBeLessThan(instantiations * 1.2);
    // a measurement that is far too high would let anything through
    expect(taken).toBeGreaterThan(instantiations * 0.6);
  });
});
