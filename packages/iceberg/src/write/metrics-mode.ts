/** Which statistics of columns manifests get, by the table's properties. */
import { IcebergError } from "../errors.ts";
import { countProperty } from "../metadata/count-property.ts";
import type { TableMetadata } from "../metadata/table-metadata.ts";
import { fieldsById, type Schema } from "../schema/schema.ts";
import { isNested } from "../schema/type.ts";
import { BOUND_LENGTH } from "../values/bounds.ts";

/** How much of bounds is kept, in code points or bytes (0: there are none), or that not even counts are. */
export type MetricsMode = { readonly isCounted: false } | { readonly isCounted: true; readonly boundLength: number };

const NONE: MetricsMode = { isCounted: false };
const COUNTS: MetricsMode = { isCounted: true, boundLength: 0 };
const INFERRED: MetricsMode = { isCounted: true, boundLength: BOUND_LENGTH };

const PREFIX = "write.metadata.metrics.";
const COLUMNS_MAX = 100;

/**
 * The mode of each column that has values, by its id: `write.metadata.metrics.column.NAME`, `…default`, or else the first
 * `…max-inferred-column-defaults` (100) get bounds of 16 and the others nothing, save those that the table is sorted by.
 *
 * @throws IcebergError `invalid-metadata` on what is no mode.
 */
export function metricsModes(
  { properties }: Pick<TableMetadata, "properties">,
  schema: Schema,
  sortedBy: ReadonlySet<number> = new Set(),
): ReadonlyMap<number, MetricsMode> {
  const columns = [...fieldsById(schema)].filter(([, { field }]) => !isNested(field.type));
  const max = countProperty(properties, `${PREFIX}max-inferred-column-defaults`, COLUMNS_MAX, 1);
  const usual = modeAt(properties, `${PREFIX}default`);
  return new Map(
    columns.map(([id, { path }], i) => {
      const inferred = i < max || sortedBy.has(id) ? INFERRED : NONE;
      return [id, modeAt(properties, `${PREFIX}column.${path.join(".")}`) ?? usual ?? inferred];
    }),
  );
}

function modeAt(properties: Readonly<Record<string, string>>, name: string): MetricsMode | undefined {
  const text = properties[name]?.toLowerCase();
  switch (text) {
    case undefined:
      return undefined;
    case "none":
      return NONE;
    case "counts":
      return COUNTS;
    case "full":
      return { isCounted: true, boundLength: Number.POSITIVE_INFINITY };
    default: {
      const length = Number(/^truncate\((\d{1,9})\)$/.exec(text)?.[1] ?? 0);
      if (length > 0) return { isCounted: true, boundLength: length };
      throw new IcebergError(
        "invalid-metadata",
        `the table's ${name} is ${text}, which is none of none, counts, truncate(16) and full`,
      );
    }
  }
}
