// What the playground's pipelines write, and others of them read.
import { dataset, Day } from "orcajs";

/** The days before today that there is data of. */
const DAYS = 180;

/** The first of them. */
export const firstDay = Day.add(Day(new Date().toISOString().slice(0, 10)), -DAYS);

export const raw = dataset(
  "flights.raw",
  { day: "date", departed: "timestamp", delay: "long?", distance: "long?", origin: "string?", destination: "string?" },
  { partitionBy: ["day"], doc: "Flights as they were delivered." },
);

export const clean = dataset(
  "flights.clean",
  { day: "date", departed: "timestamp", delay: "int", distance: "int", origin: "string", destination: "string" },
  { partitionBy: ["day"], sortBy: ["origin"], doc: "Each flight once." },
);

export const delays = dataset(
  "flights.delays",
  { month: "string", origin: "string", flights: "long", minutes: "long" },
  { partitionBy: ["month"], doc: "The flights of each month and airport, and how late they were together." },
);

export const frames = dataset(
  "drives.frames",
  { drive: "string", frame: "int", at: "timestamptz" },
  { partitionBy: ["drive"], doc: "What cars have seen: some frames of each drive." },
);

export const labels = dataset(
  "drives.labels",
  { drive: "string", frame: "int", label: "string" },
  { partitionBy: ["drive"], doc: "What is in each frame." },
);
