/** Datasets, at run time. */
import { dataset, DateTime, Instant, keyed, mapped, monthly, nullable, pipeline, Time, type Month } from "orcajs";
import { rule, untyped } from "./rule.ts";

const logs = dataset("av2.logs", { log_id: "string", frames: "long", day: "date", note: "string?" });
const columns = {
  id: "long",
  day: "date",
  value: "double",
  ts: "timestamptz",
  tags: ["string"],
  place: { at: "timestamp" },
  home: nullable({ zip: "int" }),
  counts: { "[string]": "long" },
} as const;
const noTransform = "write year(c), month(c), day(c), hour(c), bucket(n, c) or truncate(n, c)";

export const datasetRules = [
  ...["raw", "my raw", "lake.", ".raw", "lake..raw"].map((name) =>
    rule(`'${name}' isn't a dataset's name: write namespace.table`, () => dataset(untyped(name), { id: "long" })),
  ),
  ...["my/lake.raw", "s3://bucket"].map((name) =>
    rule(
      `'${name}' isn't a dataset's name or location: write namespace.table, /folder/table or s3://bucket/table`,
      () => dataset(untyped(name), { id: "long" }),
    ),
  ),
  rule("'s3://bucket/rain/' ends with a slash: leave it out", () => keyed(untyped("s3://bucket/rain/"), "id")),
  ...["lake.raw trips", "lake.raw?"].map((name) =>
    rule(`'${name}' isn't a dataset's name: its parts are 1 to 128 letters, digits, _ and -`, () =>
      dataset(untyped(name), { id: "long" }),
    ),
  ),
  rule("'av2' isn't a dataset's name: write namespace.table", () => keyed(untyped("av2"), "log_id")),
  ...["frames", "day", "note"].map((column) =>
    rule(`'${column}' isn't a string column: keys are a string column's values`, () => keyed(logs, untyped(column))),
  ),

  ...[
    ["lng", "'lng' isn't a column type"],
    ["datetime", "'datetime' isn't a column type: write timestamp"],
    ["VARCHAR", "'VARCHAR' isn't a column type: write string"],
    ["long??", "'long??' isn't a column type"],
    ["decimal(40, 2)", "'decimal(40, 2)' isn't a decimal(precision, scale) of at most 38 digits"],
    ["decimal(10)", "'decimal(10)' isn't a decimal(precision, scale) of at most 38 digits"],
    ["decimal(1e1, 2)", "'decimal(1e1, 2)' isn't a decimal(precision, scale) of at most 38 digits"],
    ["decimal(4, 5)", "'decimal(4, 5)' has more decimals than digits"],
    ["decimal(9, 10)?", "'decimal(9, 10)?' has more decimals than digits"],
    ["fixed(0)", "'fixed(0)' isn't a fixed(bytes)"],
    ["text", "'text' isn't a column type: write string"],
    [{ lat: "duble" }, "'duble' isn't a column type"],
    [[{ of: { who: "uid" } }], "'uid' isn't a column type"],
    [{ "[string]": "bigint" }, "'bigint' isn't a column type: write long"],
    [{ "[name]": "long" }, "'name' isn't a column type"],
    [{ "[string?]": "long" }, "a map's keys are never null: write [string]"],
    [{ "?": { lat: "real" } }, "'real' isn't a column type: write float"],
  ].map(([type, says]) => rule(says as string, () => dataset("lake.t", { c: untyped(type) }))),

  ...["ID", "Lat", "ZIP", "iD"].map((name) =>
    rule(`another name differs from '${name}' by case only, and SQL takes them as one: rename one`, () =>
      dataset("lake.t", untyped({ [name.toLowerCase()]: "long", [name]: "long" })),
    ),
  ),
  rule("a column has no name", () => dataset("lake.t", untyped({ "": "long" }))),

  ...[
    ["month(id)", "month takes a date or a timestamp, and id is a long"],
    ["hour(day)", "hour takes a timestamp, and day is a date"],
    ["bucket(16, value)", "bucket takes no boolean, float, double, list, struct or map, and value is a double"],
    ["truncate(4, day)", "truncate takes an int, long, decimal, string or binary, and day is a date"],
    ["year(place)", "year takes a date or a timestamp, and place is a list, struct or map"],
    ["daay", "'daay' isn't a column"],
    ["bucket(16, idd)", "'idd' isn't a column"],
    ["year(place.att)", "'place.att' isn't a column"],
    ["tags", "tags is a list, struct or map: it can't be a key"],
    ["home", "home is a list, struct or map: it can't be a key"],
    ["tags.0", "'tags.0' isn't a column"],
    ["counts.[string]", "'counts.[string]' isn't a column"],
    ["bucket(0, id)", `'bucket(0, id)' isn't a transform: ${noTransform}`],
    ["bucket(id)", `'bucket(id)' isn't a transform: ${noTransform}`],
    ["monthly(ts)", `'monthly(ts)' isn't a transform: ${noTransform}`],
  ].map(([field, says]) => rule(says!, () => dataset("lake.t", columns, { partitionBy: untyped([field]) }))),
  ...[
    ["id descending", "'id descending' isn't a column"],
    ["id desc nulls middle", "'id desc nulls middle' isn't a column"],
  ].map(([order, says]) => rule(says!, () => dataset("lake.t", columns, { sortBy: untyped([order]) }))),

  ...["2024-01-31 09:30:00", "2024-02-30T09:30:00Z", "2024-01-31T24:00:00Z", "2024-01-31T09:30:00.0000001Z"].map(
    (text) => rule(`'${text}' isn't an instant: write YYYY-MM-DDThh:mm:ssZ`, () => Instant(untyped(text))),
  ),
  rule("'2024-01-31T09:30:00Z' isn't a date and time: write YYYY-MM-DDThh:mm:ss", () =>
    DateTime(untyped("2024-01-31T09:30:00Z")),
  ),
  rule("'9:30' isn't a time: write hh:mm:ss", () => Time(untyped("9:30"))),
];

/** What the compiler says in words of its own, or doesn't know. */
export const datasetRulesOfRunTime = [
  ...["lake.größe", `lake.${"x".repeat(129)}`, "lake.a\nb"].map((name) =>
    rule(`'${name}' isn't a dataset's name: its parts are 1 to 128 letters, digits, _ and -`, () =>
      dataset(untyped(name), { id: "long" }),
    ),
  ),
  rule("'place.lat' is a column and a field of a struct: rename one", () =>
    dataset("lake.t", { place: { lat: "double" }, "place.lat": "double" }),
  ),
  rule("another name differs from 'Place.LAT' by case only, and SQL takes them as one: rename one", () =>
    dataset("lake.t", { place: { lat: "double" }, "Place.LAT": "double" }),
  ),
  rule("another name differs from 'ID' by case only, and SQL takes them as one: rename one", () =>
    dataset("lake.t", { Id: "long", ID: "long" }),
  ),
  ...["a\nb", "a\u0000", "\ud800"].map((name) =>
    rule(`${JSON.stringify(name)} isn't a column's name: it has a character that can't be written`, () =>
      dataset("lake.t", untyped({ place: { [name]: "long" } })),
    ),
  ),
  rule("a dataset has no columns", () => dataset("lake.t", {})),
  rule("struct place has no columns", () => dataset("lake.t", { place: {} })),
  rule("a list's type is written [type]", () => dataset("lake.t", { c: untyped(["string", "long"]) })),
  rule("a column's type is a string, [type] or { … }", () => dataset("lake.t", { c: untyped(Number) })),
  rule("'idd' isn't a column", () => dataset("lake.t", columns, { docs: untyped({ idd: "the key" }) })),
  rule("'partitionedBy' isn't an option of dataset 'lake.t': write partitionBy", () =>
    dataset("lake.t", columns, untyped({ partitionedBy: ["id"] })),
  ),
  rule(
    "step 'a' and step 'b' declare 'av2.logs' with other columns: frames is long in the first and int in the second",
    () =>
      pipeline("p", {
        steps: [
          mapped("a", { writes: [logs] }, async (_ctx, _m: Month) => 1),
          mapped(
            "b",
            { reads: [dataset("av2.logs", { log_id: "string", frames: "int", day: "date", note: "string?" })] },
            async (_ctx, _m: Month) => 1,
          ),
        ],
        partitions: monthly("2024-01"),
      }),
  ),
];
