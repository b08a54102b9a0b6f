// Datasets that the cases read and write.
import { dataset, mapped, nullable, type Day } from "orcajs";

export const raw = dataset("lake.raw", { id: "long", day: "date", value: "double?" });
export const clean = dataset("lake.clean", { id: "long", day: "date", value: "double", note: "string?" });
export const other = dataset("lake.other", { id: "long" });
export const nested = dataset("lake.nested", {
  id: "long",
  place: { lat: "double", city: { name: "string" } },
  tags: ["string"],
  stops: nullable([{ at: "timestamptz" }]),
  counts: { "[string]": "long" },
});
export const times = dataset("lake.times", {
  at: "timestamptz",
  wall: "timestamp",
  price: "decimal(10, 2)",
  n: "int",
  bytes: "binary",
});
/** A step over days. */
export const dayStep = mapped("days", async (_ctx, _day: Day) => 1);
