/** Each transform that partitions can have, of each type that it takes ("Partition Transforms"), as columns of the table of all types. */
import { type Field, isNested, type PrimitiveType } from "@orcajs/iceberg";

const TIMES: readonly PrimitiveType["kind"][] = ["timestamp", "timestamptz"];
const BUCKETED: readonly PrimitiveType["kind"][] = [
  ...(["int", "long", "decimal", "date", "time", "string", "uuid", "fixed", "binary"] as const),
  ...TIMES,
];
const TAKES: Readonly<Record<string, readonly PrimitiveType["kind"][]>> = {
  identity: ["boolean", ...BUCKETED],
  "bucket[16]": BUCKETED,
  "truncate[3]": ["int", "long", "decimal", "string", "binary"],
  year: ["date", ...TIMES],
  month: ["date", ...TIMES],
  day: ["date", ...TIMES],
  hour: TIMES,
};

export interface PartitionedColumn {
  readonly column: Field;
  /** As the specification has it: `bucket[16]`. */
  readonly transform: string;
}

/** The columns, with each transform that goes with it. */
export function transformsOf(fields: readonly Field[]): readonly PartitionedColumn[] {
  return fields
    .filter((column) => !isNested(column.type))
    .flatMap((column) =>
      Object.entries(TAKES)
        .filter(([, kinds]) => kinds.some((kind) => kind === column.type.kind))
        .map(([transform]) => ({ column, transform })),
    );
}
