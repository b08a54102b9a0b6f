import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { expectationsOf } from "./expectations.ts";
import { datasetRules, datasetRulesOfRunTime } from "./run-time/datasets.ts";
import { rowRules, rowRulesOfRunTime, rowRulesOfTypes } from "./run-time/rows.ts";
import type { Rule } from "./run-time/rule.ts";
import { stepRules, stepRulesOfRunTime, stepRulesOfTypes } from "./run-time/steps.ts";

const rules = [...stepRules, ...datasetRules, ...rowRules];
const rulesOfTypes = [...stepRulesOfTypes, ...rowRulesOfTypes];
const rulesOfRunTime = [...stepRulesOfRunTime, ...datasetRulesOfRunTime, ...rowRulesOfRunTime];

const CASES = join(import.meta.dirname, "cases");
/** Every sentence of ours that a case expects of the compiler. */
const compiled = new Set(
  readdirSync(CASES)
    .flatMap((file) => expectationsOf(readFileSync(join(CASES, file), "utf8")))
    .flatMap(({ kind, says }) => (kind === "error" ? says : [])),
);

/** What breaking a rule throws, or rejects with. */
async function messageOf({ breaks }: Rule): Promise<string> {
  try {
    await breaks();
  } catch (error) {
    return (error as Error).message;
  }
  return "nothing was thrown";
}

describe("the run time says what the compiler says:", () => {
  for (const rule of rules)
    it(rule.says, async () => {
      expect(await messageOf(rule)).toBe(rule.saysAtRunTime ?? rule.says);
      expect(compiled, "what the compiler says").toContain(rule.says);
    });
});

describe("the run time says, where the compiler has words of its own:", () => {
  for (const rule of rulesOfRunTime)
    it(rule.says, async () => {
      expect(await messageOf(rule)).toBe(rule.says);
    });
});

describe("a sentence of the compiler's", () => {
  it("is said at run time, or is one that only types can know", () => {
    const said = new Set<string>([...rules.map((r) => r.says), ...rulesOfTypes.map(([says]) => says)]);
    expect([...compiled].filter((says) => !said.has(says))).toEqual([]);
  });

  it.each(rulesOfTypes)("%s: only types can know, for %s", (says) => {
    expect(compiled).toContain(says);
  });
});
