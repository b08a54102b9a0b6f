/** DuckDB's values as JavaScript's, exactly. */
import type { DuckDBType, DuckDBValue } from "@duckdb/node-api";
import { clockOfMicros, textOfMicros } from "../../core/datasets/moments.ts";
import { textOfDecimal } from "../../core/datasets/stored-value.ts";
import { OrcaError } from "../../core/errors.ts";
import { Day } from "../../core/keys/day.ts";

/** DuckDB's module, which is loaded when it is first needed. */
export type Duck = typeof import("@duckdb/node-api");

/** A value of DuckDB's as a column of its type holds it. @throws OrcaError `sql-misfit` for a type that has no such value. */
export function fromDuck(v: DuckDBValue, type: DuckDBType, duck: Duck): unknown {
  if (v === null || typeof v !== "object") return v;
  if (v instanceof duck.DuckDBDateValue) return Day.at(v.days);
  if (v instanceof duck.DuckDBTimeValue) return clockOfMicros(Number(v.micros));
  if (v instanceof duck.DuckDBTimestampValue) return textOfMicros(v.micros);
  if (v instanceof duck.DuckDBTimestampMillisecondsValue) return textOfMicros(v.millis * 1000n);
  if (v instanceof duck.DuckDBTimestampSecondsValue) return textOfMicros(v.seconds * 1_000_000n);
  if (v instanceof duck.DuckDBTimestampNanosecondsValue) return textOfNanos(v.nanos);
  if (v instanceof duck.DuckDBTimestampTZValue) return `${textOfMicros(v.micros)}Z`;
  if (v instanceof duck.DuckDBDecimalValue) return textOfDecimal(v.value, v.scale);
  if (v instanceof duck.DuckDBUUIDValue) return v.toString();
  // copied: short ones are views of memory that DuckDB uses again
  if (v instanceof duck.DuckDBBlobValue) return new Uint8Array(v.bytes);
  if (v instanceof duck.DuckDBListValue && type instanceof duck.DuckDBListType)
    return v.items.map((x) => fromDuck(x, type.valueType, duck));
  if (v instanceof duck.DuckDBArrayValue && type instanceof duck.DuckDBArrayType)
    return v.items.map((x) => fromDuck(x, type.valueType, duck));
  if (v instanceof duck.DuckDBStructValue && type instanceof duck.DuckDBStructType)
    return Object.fromEntries(type.entryNames.map((n, i) => [n, fromDuck(v.entries[n]!, type.entryTypes[i]!, duck)]));
  if (v instanceof duck.DuckDBMapValue && type instanceof duck.DuckDBMapType)
    return new Map(
      v.entries.map((e) => [fromDuck(e.key, type.keyType, duck), fromDuck(e.value, type.valueType, duck)]),
    );
  throw new OrcaError(
    "sql-misfit",
    `a value of type ${type.toString()} has no JavaScript value here: cast it, such as x::varchar`,
  );
}

function textOfNanos(nanos: bigint): string {
  const rest = ((nanos % 1000n) + 1000n) % 1000n;
  return `${textOfMicros((nanos - rest) / 1000n)}${String(rest).padStart(3, "0")}`;
}
