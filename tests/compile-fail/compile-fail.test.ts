import { readdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { describe, expect, it } from "vitest";
import { expectationsOf, isMet } from "./expectations.ts";
import { compileErrors } from "./tsc.ts";

const FOLDER = join(import.meta.dirname, "cases");
/** Once for all cases: starting the compiler costs more than checking them. */
const errors = compileErrors(import.meta.dirname);

const cases = readdirSync(FOLDER).map((file) => {
  const text = readFileSync(join(FOLDER, file), "utf8");
  return { file, text, rule: text.slice("// ".length, text.indexOf("\n")) };
});

describe("the compiler holds that", () => {
  for (const { file, text, rule } of cases) {
    it(`${rule} (${file})`, () => {
      const unmet = [...expectationsOf(text)];
      const unexpected = errors.filter((error) => {
        const met = basename(error.file) === file ? unmet.findIndex((expected) => isMet(expected, error)) : -1;
        if (met >= 0) unmet.splice(met, 1);
        return basename(error.file) === file && met < 0;
      });
      expect({ unmet, unexpected }).toEqual({ unmet: [], unexpected: [] });
    });
  }

  it("what the cases share is fine", () => {
    expect(errors.filter((e) => !cases.some(({ file }) => file === basename(e.file)))).toEqual([]);
  });
});

describe("a case", () => {
  it.each(cases)("has mistakes and passing twins ($file)", ({ text }) => {
    expect(expectationsOf(text).length).toBeGreaterThan(0);
    expect(text).toMatch(/\S.*\/\/ fine/);
  });

  it("names its rule in a sentence", () => {
    expect(cases.filter(({ rule }) => !/^[A-Z].*\.$/.test(rule))).toEqual([]);
  });
});
