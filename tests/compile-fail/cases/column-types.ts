// A column's type is one that there is.
import { dataset, nullable } from "orcajs";

dataset("lake.t", {
  id: "lng", // error: 'lng' isn't a column type
  at: "datetime", // error: 'datetime' isn't a column type: write timestamp
  name: "VARCHAR", // error: 'VARCHAR' isn't a column type: write string
  n: "long??", // error: 'long??' isn't a column type
  none: "", // tsc: Type '""' is not assignable to type
  begun: "time", // fine
});
dataset("lake.t", {
  price: "decimal(40, 2)", // error: 'decimal(40, 2)' isn't a decimal(precision, scale) of at most 38 digits
  tax: "decimal(10)", // error: 'decimal(10)' isn't a decimal(precision, scale) of at most 38 digits
  rate: "decimal(1e1, 2)", // error: 'decimal(1e1, 2)' isn't a decimal(precision, scale) of at most 38 digits
  share: "decimal(4, 5)", // error: 'decimal(4, 5)' has more decimals than digits
  part: "decimal(9, 10)?", // error: 'decimal(9, 10)?' has more decimals than digits
  hash: "fixed(0)", // error: 'fixed(0)' isn't a fixed(bytes)
});
dataset("lake.t", {
  place: {
    lat: "duble", // error: 'duble' isn't a column type
  },
  tags: ["text"], // error: 'text' isn't a column type: write string
  stops: [
    {
      of: { who: "uid" }, // error: 'uid' isn't a column type
    },
  ],
  counts: { "[string]": "bigint" }, // error: 'bigint' isn't a column type: write long
  named: { "[name]": "long" }, // error: 'name' isn't a column type
  maybe: { "[string?]": "long" }, // error: a map's keys are never null: write [string]
  home: nullable({ lat: "real" }), // error: 'real' isn't a column type: write float
});
dataset("lake.t", { tags: ["string", "long"] }); // tsc: Source has 2 element(s) but target allows only 1
dataset("lake.t", { id: Number }); // tsc: Type 'NumberConstructor' is not assignable to type 'ColumnType'
dataset("lake.t", { id: null }); // tsc: Type 'null' is not assignable to type

dataset("lake.t", { a: "boolean", b: "int?", c: "long", d: "float", e: "double?", g: "date", h: "time" }); // fine
dataset("lake.t", { f: "decimal(38, 38)?", g: "decimal(38, 0)", h: "decimal(10,10)", i: "decimal(10,  9)" }); // fine
dataset("lake.t", { i: "timestamp", j: "timestamptz?", k: "string", l: "uuid", m: "fixed(16)", n: "binary?" }); // fine
dataset("lake.t", { a: ["string?"], b: [["long"]], c: { d: { e: "int" } }, f: { "[long]": [{ g: "date" }] } }); // fine
dataset("lake.t", { h: nullable(["int"]), i: [nullable({ j: "int" })], k: nullable({ "[date]": "uuid?" }) }); // fine
const columns: Record<string, "long" | "string"> = JSON.parse("{}");
dataset("lake.t", columns); // fine: known only at run time, and checked then
