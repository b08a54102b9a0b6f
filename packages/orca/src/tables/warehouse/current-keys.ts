/** The keys of a keyed pipeline: the values of a column in the current snapshot of a dataset's table. */
import type { Field, Relation } from "@orcajs/iceberg";
import type { Snapshot } from "../../core/ctx.ts";
import { isLocation } from "../../core/datasets/dataset.ts";
import { OrcaError } from "../../core/errors.ts";
import { Name } from "../../core/keys/name.ts";
import { nearest } from "../../core/nearest.ts";
import { PARTITIONS_MAX } from "../../core/partition-list.ts";
import type { Keyed } from "../../core/partitions.ts";
import type { Warehouse } from "./warehouse.ts";

export interface CurrentKeys {
  /** The snapshot that has them; undefined of a table that has none yet. */
  readonly snapshot: Snapshot | undefined;
  /** Sorted, each once. */
  readonly keys: readonly Name[];
}

/** So many values that are no names are told. */
const SHOWN_MAX = 3;

/**
 * Reads the keys that there are now. The column alone is read, by DuckDB, which keeps only what differs.
 *
 * @throws OrcaError `table-missing`; `keys-unfit` if the column isn't there or isn't one of texts, if a row has none, or one that is no name, or if
 * there are more than a run takes.
 */
export async function currentKeys(warehouse: Warehouse, { dataset, column }: Keyed): Promise<CurrentKeys> {
  const table = await warehouse.find(dataset);
  if (table === undefined) throw missing(dataset, column);
  checkColumn(dataset, column, table.schema.fields);
  const scan = table.scan<Record<string, unknown>>().columns(column);
  if (scan.snapshot === undefined) return { snapshot: undefined, keys: [] };
  const { sql } = warehouse.engine;
  const name = sql.id(column);
  const values = sql<{
    key: string | null;
  }>`select distinct ${name}::varchar as "key" from ${scan} order by "key" nulls first`;
  return { snapshot: scan.snapshot["snapshot-id"], keys: await namesIn(values, dataset, column) };
}

async function namesIn(
  values: Relation<{ key: string | null }>,
  dataset: string,
  column: string,
): Promise<readonly Name[]> {
  const names: Name[] = [];
  const unfit: string[] = [];
  let unfitCount = 0;
  for await (const { columns } of values.batches())
    for (const value of columns["key"] as readonly (string | null)[]) {
      if (value === null)
        throw unfitKeys(`rows of ${dataset} have no ${column}, so that no run would cover them: give each one a name`);
      if (Name.is(value)) names.push(value);
      else if (++unfitCount <= SHOWN_MAX) unfit.push(shown(value));
      if (names.length + unfitCount > PARTITIONS_MAX)
        throw unfitKeys(
          `${column} has more than ${PARTITIONS_MAX} values in ${dataset}: take a column of fewer, as each is a partition`,
        );
    }
  if (unfitCount === 0) return names;
  const more = unfitCount > SHOWN_MAX ? ` and ${unfitCount - SHOWN_MAX} more` : "";
  throw unfitKeys(
    `${unfit.join(", ")}${more} of ${column} in ${dataset} can't be keys: names are 1 to 128 letters, digits and ._:-, but not . or ..; change the values, or take another column`,
  );
}

/** Of the length that a key may have, and in one line. */
function shown(value: string): string {
  return JSON.stringify(value.length > 128 ? `${value.slice(0, 128)}…` : value);
}

function checkColumn(dataset: string, column: string, fields: readonly Field[]): void {
  const field = fields.find((f) => f.name === column);
  if (field === undefined) {
    const names = fields.map((f) => f.name);
    const meant = nearest(column, names);
    throw unfitKeys(
      `${dataset} has no column '${column}': ${meant === undefined ? `there are ${names.join(", ")}` : `did you mean '${meant}'?`}`,
    );
  }
  const { kind } = field.type;
  if (kind !== "string" && kind !== "uuid")
    throw unfitKeys(`'${column}' of ${dataset} is of type ${kind}: keys are a string column's values`);
}

function missing(dataset: string, column: string): OrcaError {
  const place = isLocation(dataset) ? `at ${dataset}` : `'${dataset}' in the warehouse`;
  const or = isLocation(dataset) ? "" : ", or set ORCA_WAREHOUSE to where it is";
  return new OrcaError("table-missing", `there is no table ${place} yet, whose ${column} has the keys: make it${or}`);
}

function unfitKeys(message: string): OrcaError {
  return new OrcaError("keys-unfit", message);
}
