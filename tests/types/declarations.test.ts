import { join } from "node:path";
import { expect, it } from "vitest";
import { compileErrors } from "../compile-fail/tsc.ts";

it("what a file exports has declarations, by names that orcajs exports", () => {
  expect(compileErrors(join(import.meta.dirname, "declarations.tsconfig.json"))).toEqual([]);
});
