// The flights of 2001 as tables: what one pipeline writes and another reads. A dataset is one table wherever its name is used.
import { dataset } from "orcajs";

export const raw = dataset(
  "flights.raw",
  { day: "date", departed: "timestamp", delay: "long?", distance: "long?", origin: "string?", destination: "string?" },
  { partitionBy: ["day"], doc: "Flights as they were delivered." },
);

export const clean = dataset(
  "flights.clean",
  { day: "date", departed: "timestamp", delay: "int", distance: "int", origin: "string", destination: "string" },
  {
    partitionBy: ["day"],
    sortBy: ["origin"],
    doc: "Each flight once.",
    docs: { delay: "in minutes", distance: "in miles" },
  },
);

export const delays = dataset(
  "flights.delays",
  { month: "string", origin: "string", flights: "long", minutes: "long" },
  { partitionBy: ["month"], doc: "The flights of each month and airport, and how late they were together." },
);
