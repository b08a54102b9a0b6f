/** What steps read and write, at run time. */
import { sql, task, type Dataset } from "orcajs";
import { clean, dayStep, nested, other, raw } from "../shared/tables.ts";
import { inStep, rule, untyped, type Rule } from "./rule.ts";

const add = task("add", async (a: number, b: number) => a + b);
const day = "2024-01-31";
const place = { lat: 1, city: { name: "x" } };
const whole = { id: 1, place, tags: ["x"], stops: null, counts: new Map([["x", 1]]) };

/** A row that doesn't fit: the run time says which row it is. */
function misfit(says: string, dataset: Dataset, row: unknown): Rule {
  return rule(says, () => inStep({ writes: [dataset] }, (ctx) => ctx.append(dataset, [row])), `${says} (row 1)`);
}

/** What can't stand in SQL. */
function notInSql(says: string, value: unknown): Rule {
  return rule(says, () => inStep({ reads: [raw] }, (ctx) => ctx.sql`select ${value}`));
}

export const rowRules = [
  rule("'lake.clean' isn't in this step's reads", () => inStep({ writes: [clean] }, (ctx) => ctx.scan(clean))),
  rule("'lake.other' isn't in this step's reads", () => inStep({ reads: [raw] }, (ctx) => ctx.scan(other))),
  rule("'s3://bucket/wind' isn't in this step's reads", () =>
    inStep({ reads: ["s3://bucket/rain"] }, (ctx) => ctx.scan("s3://bucket/wind")),
  ),
  rule("'lake.raw' isn't in this step's reads", () => inStep({}, (ctx) => ctx.scan("lake.raw"))),
  rule("'lake.x' isn't in this step's reads", () => inStep({ reads: [raw] }, (ctx) => ctx.scan("lake.x"))),
  rule("'lake.raw' isn't in this step's writes", () => inStep({ reads: [raw] }, (ctx) => ctx.append(raw, []))),
  rule("'lake.other' isn't in this step's writes", () =>
    inStep({ writes: [clean] }, (ctx) => ctx.commit(other, { operation: "append", add: [] })),
  ),
  rule("'lake.x' isn't in this step's reads or writes", () => inStep({}, (ctx) => ctx.table("lake.x"))),

  rule("rows come as an array, an iterable, Arrow, a scan or a query", () =>
    inStep({ writes: [other] }, (ctx) => ctx.append(other, { id: 1 })),
  ),
  rule("the rows are a promise: await it", () =>
    inStep({ reads: [other], writes: [other] }, (ctx) => ctx.append(other, ctx.scan(other).toArray())),
  ),
  misfit("rows don't fit lake.other: they're string", other, "1"),
  misfit("rows don't fit lake.other: id takes bigint or number, not string", other, { id: "1" }),
  misfit("rows don't fit lake.other: name isn't a column", other, { id: 1, name: "x" }),
  misfit("rows don't fit lake.other: day isn't a column", other, { id: 1, day }),
  misfit("rows don't fit lake.other: value isn't a column", other, { id: 1, value: 1 }),
  misfit("rows don't fit lake.clean: value is missing", clean, { id: 1, day }),
  misfit("rows don't fit lake.clean: value takes number, not null", clean, { id: 1, day, value: null }),
  misfit("rows don't fit lake.clean: value takes number, not undefined", clean, { id: 1, day, value: undefined }),
  rule(
    "rows don't fit lake.clean: day takes Day, not string",
    () => inStep({ writes: [clean] }, (ctx) => ctx.append(clean, [{ id: 1, day: "31.1.2024", value: 1 }])),
    "rows don't fit lake.clean: day: '31.1.2024' isn't a day: write YYYY-MM-DD, such as 2024-01-31 (row 1)",
  ),
  misfit("rows don't fit lake.clean: id takes bigint or number, not string", clean, { id: "1", day, value: 1 }),
  ...(
    [
      ["place takes an object, not null", { place: null }],
      ["place.city takes an object, not string", { place: { lat: 1, city: "x" } }],
      ["place.lat takes number, not string", { place: { ...place, lat: "1" } }],
      ["tags takes an array, not string", { tags: "x" }],
      ["tags[] takes string, not number", { tags: [1] }],
      ["stops[].at takes Instant or Date, not number", { stops: [{ at: 1 }] }],
      ["counts takes a Map, not an object", { counts: { x: 1 } }],
      ["a key of counts takes string, not number", { counts: new Map([[1, 1]]) }],
      ["a value of counts takes bigint or number, not string", { counts: new Map([["x", "1"]]) }],
    ] as const
  ).map(([says, part]) => misfit(`rows don't fit lake.nested: ${says}`, nested, { ...whole, ...part })),

  notInSql("SQL takes no step or task, and 'days' is one", dayStep),
  notInSql("SQL takes no step or task, and 'add' is one", add),
  notInSql("SQL takes a scan of a dataset: ctx.scan(…)", raw),
  notInSql("SQL takes no function", () => 1),
  notInSql("SQL takes no undefined: write null", undefined),
  notInSql("SQL takes no promise: await it", Promise.resolve(1)),
  notInSql("SQL takes no object", { day }),
  notInSql("SQL takes lists of plain values only", [[1]]),
];

/** What only types can know: why there is no such rule at run time. */
export const rowRulesOfTypes = [
  ["rows don't fit lake.other: their columns aren't known", "a row has its columns at run time"],
  ["rows don't fit lake.other: they're unknown", "a value is known at run time"],
] as const;

/** What the compiler says in words of its own, or doesn't know. */
export const rowRulesOfRunTime = [
  ...(
    [
      ["counts is a map", { counts: new Map() }],
      ["tags is a list", { tags: ["x"] }],
      ["place is a struct", { place }],
    ] as const
  ).map(([says, where]) =>
    rule(`where doesn't fit lake.nested: ${says}, which rows can't be chosen by`, () =>
      inStep({ writes: [nested] }, (ctx) => ctx.overwrite(nested, [], { where })),
    ),
  ),
  notInSql("SQL takes lists of plain values only", [undefined]),
  notInSql("SQL takes no promise: await it", { then: () => 1 }),
  notInSql("SQL takes no step or task, and 'days' is one", untyped(sql)`day = ${dayStep}`),
  rule("'dya' isn't a column here: there are id, day, value", () =>
    inStep({ reads: [raw] }, (ctx) => ctx.scan(raw).columns("id", "dya")),
  ),
  rule("rows don't fit by.name: they're number (row 1)", () =>
    inStep({ writes: ["by.name"] }, async (ctx) => {
      await ctx.ensureTable("by.name", { n: "int" });
      await ctx.append("by.name", [1]);
    }),
  ),
  ...[undefined, {}, { where: "day" }].map((options) =>
    rule("overwrite says which rows it replaces: ctx.overwrite(dataset, rows, { where: { day } })", () =>
      inStep({ writes: [clean] }, (ctx) => ctx.overwrite(clean, [], options)),
    ),
  ),
  ...(
    [
      [
        undefined,
        'commit says what it does, append, overwrite, delete or replace: ctx.commit(dataset, { operation: "append", add: [path] })',
      ],
      [{ operation: "append", add: "a" }, "the files to add are an array: { add: [path] }"],
      [
        { operation: "append", add: [1] },
        "a file to add is the path of a Parquet file, { path, partition }, or what writeRows has returned",
      ],
      [{ operation: "delete", remove: [{}] }, "a file to remove is its path, or as a scan's files() has it"],
      [
        { operation: "append", add: [], remove: ["a"] },
        "an append removes no files: overwrite changes rows, and replace only the files that they are in",
      ],
    ] as const
  ).map(([change, says]) => rule(says, () => inStep({ writes: [clean] }, (ctx) => ctx.commit(clean, change)))),
  ...(
    [
      ["dya isn't a column", { dya: day }],
      ["day: 'today' isn't a day: write YYYY-MM-DD, such as 2024-01-31", { day: "today" }],
      ["id takes bigint or number, not null", { id: null }],
      ["day is undefined: write null for rows that have none", { day: undefined }],
    ] as const
  ).map(([says, where]) =>
    rule(`where doesn't fit lake.clean: ${says}`, () =>
      inStep({ writes: [clean] }, (ctx) => ctx.overwrite(clean, [], { where })),
    ),
  ),
];
