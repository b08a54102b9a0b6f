import type { Begun } from "./datasets/column-notation.ts";
import type { Column } from "./datasets/column.ts";
import { checkDatasetName, nameOf, type Dataset, type DatasetName, type DatasetOrName } from "./datasets/dataset.ts";
import { OrcaError } from "./errors.ts";
import type { DayText, MonthText } from "./keys/calendar-text.ts";
import { Day } from "./keys/day.ts";
import { Month } from "./keys/month.ts";
import type { Name } from "./keys/name.ts";
import { isMade, made, type Made } from "./made.ts";
import type { Mistake } from "./mistake.ts";

/** Every month from `start` on. */
export type Monthly = Made<'months are made by monthly: write monthly("2024-01")'> & {
  readonly kind: "monthly";
  readonly start: Month;
};
/** Every day from `start` on. */
export type Daily = Made<'days are made by daily: write daily("2024-01-31")'> & {
  readonly kind: "daily";
  readonly start: Day;
};
/** A partition per distinct value of a column in a dataset's current snapshot. */
export type Keyed = Made<'keys are made by keyed: write keyed("av2.logs", "log_id")'> & {
  readonly kind: "keyed";
  readonly dataset: string;
  readonly column: string;
};
/** Which partitions a pipeline has. */
export type Partitions = Monthly | Daily | Keyed;

/** Whether a value is what `monthly`, `daily` or `keyed` made, and not an object like it. */
export function isPartitions(value: unknown): value is Partitions {
  return isMade(value) && ["monthly", "daily", "keyed"].includes((value as Partitions).kind);
}

/** The key of a partition of `P`. */
export type KeyOf<P extends Partitions> = P extends Monthly
  ? Month
  : P extends Daily
    ? Day
    : P extends Keyed
      ? Name
      : never;

/** A partition a month, from `start` on: `monthly("2024-01")`. @throws OrcaError `invalid-key` on text that isn't a month. */
export function monthly<const S extends string>(start: MonthText<S>): Monthly {
  return made({ kind: "monthly", start: Month(start as string) });
}

/** A partition a day, from `start` on: `daily("2024-01-31")`. @throws OrcaError `invalid-key` on text that isn't a day. */
export function daily<const S extends string>(start: DayText<S>): Daily {
  return made({ kind: "daily", start: Day(start as string) });
}

/** The columns whose values can be names: a dataset's strings (and not the types that are kinds of string, such as days), or any of a table that is known by its name. */
// prettier-ignore
type NameColumn<D> = D extends Dataset<string, infer R> ? { [K in keyof R]: string extends R[K] ? (R[K] extends string ? K : never) : never }[keyof R] & string : string;
// prettier-ignore
type KeyColumn<D, C extends string> =
  C extends NameColumn<D> ? C
  : [Begun<NameColumn<D>, C>] extends [never] ? Mistake<`'${C}' isn't a string column: keys are a string column's values`>
  : never; // still being typed
type Known<D> = D extends string ? DatasetName<D> : D;

/**
 * A partition per distinct value of `column` in `dataset`, whose values are names: `keyed("av2.logs", "log_id")`.
 *
 * @throws OrcaError `invalid-dataset` on a name that isn't `namespace.table`, or a column that isn't one of strings.
 */
export function keyed<const D extends DatasetOrName, const C extends string>(
  dataset: Known<D>,
  column: NameColumn<D> | KeyColumn<D, C>,
): Keyed {
  const given = dataset as DatasetOrName;
  checkDatasetName(nameOf(given));
  const name = column as string;
  const isKnown = typeof given === "string" || given.columns.some((c) => c.name === name && isText(c));
  if (typeof name !== "string" || !isKnown)
    throw new OrcaError(
      "invalid-dataset",
      `'${String(name)}' isn't a string column: keys are a string column's values`,
    );
  return made({ kind: "keyed", dataset: nameOf(given), column: name });
}

/** Whether every value of a column is a text that stands for nothing else; rows read have a UUID as one. */
function isText({ type, nullable }: Column): boolean {
  return !nullable && (type.type === "string" || type.type === "uuid");
}
