/** The types of columns in Arrow. */
import type { DataType, Field as ArrowField } from "apache-arrow";
import type { DuckDBType } from "@duckdb/node-api";
import { IcebergError } from "../errors.ts";
import { childFields, type Field } from "../schema/type.ts";
import type { Duck } from "./duck-values.ts";

/** Arrow's module, which is loaded when it is first needed. */
export type Arrow = typeof import("apache-arrow");

/**
 * A column for one of DuckDB's.
 *
 * @param field the table's, if the column is of one: it tells `fixed` from `binary`, and whether nulls are allowed.
 * @throws IcebergError `query-failed` for a type that Arrow's columns don't have here.
 */
export function arrowField(name: string, type: DuckDBType, field: Field | undefined, modules: Modules): ArrowField {
  return modules.arrow.Field.new({ name, type: arrowType(type, field, modules), nullable: field?.required !== true });
}

export interface Modules {
  readonly arrow: Arrow;
  readonly duck: Duck;
}

function arrowType(type: DuckDBType, field: Field | undefined, modules: Modules): DataType {
  const { arrow, duck } = modules;
  const parts = field === undefined ? [] : childFields(field.type);
  if (type instanceof duck.DuckDBDecimalType) return new arrow.Decimal(type.scale, type.width, 128);
  if (type instanceof duck.DuckDBBlobType)
    return field?.type.kind === "fixed" ? new arrow.FixedSizeBinary(field.type.length) : new arrow.Binary();
  if (type instanceof duck.DuckDBListType || type instanceof duck.DuckDBArrayType)
    return new arrow.List(arrowField("element", type.valueType, parts[0], modules));
  if (type instanceof duck.DuckDBMapType) {
    const key = arrowField("key", type.keyType, parts[0], modules).clone({ nullable: false });
    const entry = new arrow.Struct([key, arrowField("value", type.valueType, parts[1], modules)]);
    return new arrow.Map_(arrow.Field.new({ name: "entries", type: entry, nullable: false }) as never);
  }
  if (type instanceof duck.DuckDBStructType)
    return new arrow.Struct(type.entryNames.map((n, i) => arrowField(n, type.entryTypes[i]!, parts[i], modules)));
  const simple = simpleType(type, field?.type.kind === "timestamptz_ns", modules);
  if (simple !== undefined) return simple;
  throw new IcebergError(
    "query-failed",
    `a column of type ${type.toString()} has no Arrow type here: cast it, such as x::varchar`,
  );
}

function simpleType(type: DuckDBType, isInUtc: boolean, { arrow, duck }: Modules): DataType | undefined {
  const { DuckDBTypeId: Id } = duck;
  switch (type.typeId) {
    case Id.SQLNULL:
    case Id.INTEGER:
      return new arrow.Int32();
    case Id.BOOLEAN:
      return new arrow.Bool();
    case Id.TINYINT:
      return new arrow.Int8();
    case Id.SMALLINT:
      return new arrow.Int16();
    case Id.UTINYINT:
      return new arrow.Uint8();
    case Id.USMALLINT:
      return new arrow.Uint16();
    case Id.UINTEGER:
      return new arrow.Uint32();
    case Id.BIGINT:
      return new arrow.Int64();
    case Id.UBIGINT:
      return new arrow.Uint64();
    case Id.HUGEINT: // what sums of integers are
      return new arrow.Decimal(0, 38, 128);
    case Id.FLOAT:
      return new arrow.Float32();
    case Id.DOUBLE:
      return new arrow.Float64();
    case Id.DATE:
      return new arrow.DateDay();
    case Id.TIME:
      return new arrow.TimeMicrosecond();
    case Id.TIMESTAMP:
      return new arrow.TimestampMicrosecond();
    case Id.TIMESTAMP_TZ:
      return new arrow.TimestampMicrosecond("UTC");
    case Id.TIMESTAMP_NS:
      return isInUtc ? new arrow.TimestampNanosecond("UTC") : new arrow.TimestampNanosecond();
    case Id.VARCHAR:
    case Id.ENUM:
      return new arrow.Utf8();
    case Id.UUID:
      return new arrow.FixedSizeBinary(16);
    default:
      return undefined;
  }
}
