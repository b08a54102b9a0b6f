import type { Day } from "./day.ts";
import type { Month } from "./month.ts";
import type { Name } from "./name.ts";

export declare const key: unique symbol;

/** What a partition is known by: a month, a day or a name. */
export type PartitionKey = Month | Day | Name;

/** What a key type is called in an error. */
export type KeyName<K> = [K] extends [Month]
  ? "Month"
  : [K] extends [Day]
    ? "Day"
    : [K] extends [Name]
      ? "Name"
      : "another key";
