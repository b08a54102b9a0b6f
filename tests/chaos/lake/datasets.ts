/** The tables of the pipelines over a lake. Those of `source` are somebody else's, who goes on appending. */
import { dataset } from "orcajs";

export const source = dataset("lake.source", { day: "date", n: "long" });
/** `seen` is how many rows the table had that the row was made from: what says which snapshot was read. */
export const raw = dataset("lake.raw", { day: "date", n: "long", part: "int", seen: "long" }, { partitionBy: ["day"] });
export const clean = dataset(
  "lake.clean",
  { day: "date", n: "long", part: "int", seen: "long" },
  { partitionBy: ["day"] },
);
export const totals = dataset("lake.totals", { what: "string", rows: "long", n: "long", seen: "long" });
