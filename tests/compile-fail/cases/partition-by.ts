// A table is parted by its columns, and by transforms that take them.
import { dataset, nullable } from "orcajs";

const columns = {
  id: "long",
  day: "date",
  value: "double",
  name: "string?",
  ts: "timestamptz",
  tags: ["string"],
  place: { city: "string", at: "timestamp" },
  home: nullable({ zip: "int" }),
  price: "decimal(10, 2)",
  counts: { "[string]": "long" },
} as const;

dataset("lake.t", columns, { partitionBy: ["day", "bucket(16, id)", "month(ts)", "hour(ts)", "truncate(4, name)"] }); // fine
dataset("lake.t", columns, {
  partitionBy: ["truncate(100, price)", "place.city", "day(place.at)", "bucket(8, home.zip)"],
}); // fine
dataset("lake.t", columns, { partitionBy: (process.env["BY"] ?? "day").split(";") }); // fine: checked at run time
dataset("lake.t", columns, {
  partitionBy: [
    "day",
    "month(id)", // error: month takes a date or a timestamp, and id is a long
    "hour(day)", // error: hour takes a timestamp, and day is a date
    "bucket(16, value)", // error: bucket takes no boolean, float, double, list, struct or map, and value is a double
    "truncate(4, day)", // error: truncate takes an int, long, decimal, string or binary, and day is a date
    "year(place)", // error: year takes a date or a timestamp, and place is a list, struct or map
    "daay", // error: 'daay' isn't a column
    "bucket(16, idd)", // error: 'idd' isn't a column
    "year(place.att)", // error: 'place.att' isn't a column
    "tags", // error: tags is a list, struct or map: it can't be a key
    "home", // error: home is a list, struct or map: it can't be a key
    "tags.0", // error: 'tags.0' isn't a column
    "counts.[string]", // error: 'counts.[string]' isn't a column
    "bucket(0, id)", // error: 'bucket(0, id)' isn't a transform: write year(c), month(c), day(c), hour(c), bucket(n, c) or truncate(n, c)
    "bucket(id)", // error: 'bucket(id)' isn't a transform: write year(c), month(c), day(c), hour(c), bucket(n, c) or truncate(n, c)
    "monthly(ts)", // error: 'monthly(ts)' isn't a transform: write year(c), month(c), day(c), hour(c), bucket(n, c) or truncate(n, c)
    "month(t", // tsc: Type '"month(t"' is not assignable to type '"month(ts)"'
  ],
});
