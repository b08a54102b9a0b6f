import { expect, it } from "vitest";
import { typeErrors } from "./type-errors.ts";

it.each([
  [
    "a sentence of Orca's in place of a parameter's type",
    `lake.ts(2,6): error TS2345: Argument of type '"0 3 2 *"' is not assignable to parameter of type '"'0 3 2 *' has 4 fields: cron takes 5 (minute hour day month weekday)"'.\n`,
    "lake.ts:2:6: '0 3 2 *' has 4 fields: cron takes 5 (minute hour day month weekday)",
  ],
  [
    "a sentence that stands for a mistaken text",
    `lake.ts(2,6): error TS2345: Argument of type 'string' is not assignable to parameter of type 'Mistake<"'2024-13' isn't a month: write YYYY-MM, such as 2024-01">'.`,
    "lake.ts:2:6: '2024-13' isn't a month: write YYYY-MM, such as 2024-01",
  ],
  [
    "several of these",
    `lake.ts(2,6): error TS2345: Argument of type 'string' is not assignable to parameter of type 'Mistake<"'61' isn't a cron minute (0-59)"> | Mistake<"'13' isn't a cron month (1-12 or jan-dec)">'.`,
    "lake.ts:2:6: '61' isn't a cron minute (0-59); '13' isn't a cron month (1-12 or jan-dec)",
  ],
  [
    "several sentences, and the names that would do",
    `a/lake.ts(6,6): error TS2345: Argument of type '"x"' is not assignable to parameter of type '"'x' isn't in this step's reads" | "'x' isn't a dataset's name" | "lake.raw"'.`,
    "a/lake.ts:6:6: 'x' isn't in this step's reads; 'x' isn't a dataset's name",
  ],
  [
    "a sentence below the first line",
    `lake.ts(4,23): error TS2345: Argument of type '(m: Month) => Promise<Sample>' is not assignable to parameter of type '(m: Month) => "outputs…"'.\n  Type 'Promise<Sample>' is not assignable to type '"outputs must be storable: output.size is a function"'.\n`,
    "lake.ts:4:23: outputs must be storable: output.size is a function",
  ],
  [
    "an error of tsc's, with the last line of why",
    `lake.ts(9,48): error TS2322: Type 'Date' is not assignable to type 'DateTime'.\r\n  Types of property 'x' are incompatible.\r\n    Type 'Date' is not assignable to type 'string'.\r\n`,
    "lake.ts:9:48: Type 'Date' is not assignable to type 'DateTime': Type 'Date' is not assignable to type 'string' (TS2322)",
  ],
  [
    "text types of the user's own",
    `lake.ts(1,2): error TS2322: Type '"x"' is not assignable to type '"not started" | "done"'.`,
    `lake.ts:1:2: Type '"x"' is not assignable to type '"not started" | "done"' (TS2322)`,
  ],
  [
    "an error without a place",
    "error TS5083: Cannot read file '/x/tsconfig.json'.",
    "Cannot read file '/x/tsconfig.json' (TS5083)",
  ],
  [
    "no types of Node.js",
    "error TS2688: Cannot find type definition file for 'node'.\n  The file is in the program because:\n    Entry point of type library 'node' specified in compilerOptions\n",
    "the types of Node.js aren't installed: run npm install --save-dev @types/node",
  ],
  [
    "several errors",
    "a.ts(1,1): error TS1: One.\na.ts(2,1): error TS2: Two.\n",
    "a.ts:1:1: One (TS1)\na.ts:2:1: Two (TS2)",
  ],
  ["nothing", "\n", ""],
])("%s is a line", (_, printed, expected) => {
  expect(typeErrors(printed)).toBe(expected);
});
