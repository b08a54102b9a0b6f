import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { OpenProgram } from "./open-program.ts";
import { PROGRAM } from "./program.ts";

let editor: OpenProgram;
beforeAll(async () => {
  editor = await OpenProgram.open(PROGRAM);
});
// also when a test fails, or opening did: an OpenProgram that could not be opened has ended its own
afterAll(async () => {
  await editor?.[Symbol.asyncDispose]();
});

const STEP_OPTIONS = ["after?", "reads?", "retries?", "tasks?", "timeout?", "writes?"];
const PLAIN = [
  "binary",
  "boolean",
  "date",
  "double",
  "float",
  "int",
  "long",
  "string",
  "time",
  "timestamp",
  "timestamptz",
];
const TYPES = [...PLAIN, "uuid"].flatMap((type) => [type, `${type}?`]);
const RAW_COLUMNS = ["at", "day", "id", "name", "place"];

describe("an editor completes", () => {
  it.each([
    ["member of input", ["days", "month"]],
    ["mapped options", STEP_OPTIONS],
    ["gather options", STEP_OPTIONS],
    ["fills", ["current", "previous"]],
    ["key column", ["name"]],
    ["cron", ["@annually", "@daily", "@hourly", "@midnight", "@monthly", "@weekly", "@yearly"]],
    ["column type", TYPES],
    ["element type", TYPES],
    ["field type", TYPES],
    ["partitionBy begun", ["month(at)", "month(day)"]],
    ["docs", ["at?", "day?", "id?", "tags?"]],
    ["scan", ["lake.more", "lake.raw"]],
    ["append", ["lake.days"]],
    ["overwrite", ["lake.days"]],
    ["table", ["lake.days", "lake.more", "lake.raw"]],
    ["columns", RAW_COLUMNS],
    ["more columns", RAW_COLUMNS],
    ["row", ["day", "n"]],
    ["where", ["day?", "n?"]],
    ["members of row", RAW_COLUMNS],
  ])("%s by exactly what there is", async (place, expected) => {
    expect(await editor.completions(place)).toEqual(expected);
  });

  it("a pipeline's options by those that it doesn't have yet", async () => {
    const options = [
      "catchup?",
      "concurrency?",
      "fills?",
      "keysPerRun?",
      "maxRuns?",
      "runRetries?",
      "schedule?",
      "sensor?",
    ];
    expect(await editor.completions("pipeline options")).toEqual(options);
  });

  it("a type that is begun by the types, of which the editor shows those that fit", async () => {
    expect(await editor.completions("column type begun")).toEqual(TYPES);
  });

  it.each(["partitionBy", "sortBy"])("%s by columns, and by transforms of columns that they take", async (place) => {
    const offered = await editor.completions(place);
    expect(offered).toEqual(expect.arrayContaining(["at", "day", "id", "month(at)", "hour(at)", "bucket(16, id)"]));
    expect(offered).not.toEqual(expect.arrayContaining(["tags"]));
    expect(offered).not.toEqual(expect.arrayContaining(["hour(day)"]));
  });

  it("a context by its members", async () => {
    expect(await editor.completions("members of ctx")).toEqual([
      "append",
      "attempt",
      "commit",
      "ensureTable",
      "log",
      "overwrite",
      "partition",
      "remote",
      "run",
      "scan",
      "signal",
      "sql",
      "table",
    ]);
  });
});

describe("an editor never completes by one of our sentences", () => {
  const HOVERED = /^(days|measure|total|toy|counted|scanned|row read|step over tables|ctx of|input of)/;
  const places = Array.from(PROGRAM.matchAll(/\/\*\|([^|]+)\|\*\//g), ([, place]) => place!);

  it.each(places.filter((place) => !HOVERED.test(place)))("at %s", async (place) => {
    // a sentence has spaces and small words; a transform has a space, after its comma
    const sentences = (await editor.completions(place)).filter((label) => /[a-z'] [a-z]/.test(label));
    expect(sentences).toEqual([]);
  });
});

describe("an editor shows", () => {
  const RAW = "{ id: bigint; day: Day; at: Instant; name: string; place: { lat: number; }; }";

  it.each([
    ["days", 'const days: Mapped<"days", Month, Month, { month: Month; days: number; }, never>'],
    [
      "measure",
      'const measure: Mapped<"measure", Month, { month: Month; days: number; }, { month: Month; days: number; hours: number; }, "days">',
    ],
    [
      "total",
      'const total: Gather<"total", Month, { month: Month; days: number; hours: number; }[], number, "measure">',
    ],
    ["toy", "const toy: Pipeline<Month>"],
    ["input of measure", "(parameter) m: { month: Month; days: number; }"],
    ["input of total", "(parameter) ms: { month: Month; days: number; hours: number; }[]"],
    ["ctx of days", "(parameter) ctx: MappedCtx<Month, never, never, never>"],
    ["ctx of total", "(parameter) ctx: GatherCtx<Month, never, never, never>"],
    [
      "ctx of tables",
      '(parameter) ctx: MappedCtx<Day, "lake.more" | "lake.raw", "lake.days", Task<"count", [day: Day], number>>',
    ],
    ["ctx of helper", '(parameter) ctx: Ctx<"lake.raw">'],
    ["step over tables", 'const tables: Mapped<"tables", Day, Day, void, never>'],
    ["scanned", `const scanned: Scan<${RAW}>`],
    ["row read", `const row: ${RAW}`],
    ["counted", "const counted: Ref<number>"],
  ])("what %s is in one short line", async (place, expected) => {
    expect(await editor.hover(place)).toBe(expected);
  });
});
