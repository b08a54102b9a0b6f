/** The warehouse that a command reads tables in: apart, since Iceberg and DuckDB take time to load. */
import { isLocation } from "../core/datasets/dataset.ts";
import { OrcaError } from "../core/errors.ts";
import { Warehouse, type WarehouseOptions } from "../tables/warehouse/warehouse.ts";
import { WAREHOUSE_FORMS, warehouseAccess, type Environment } from "./environment.ts";

export { currentKeys } from "../tables/warehouse/current-keys.ts";
export { previewOf } from "../tables/warehouse/preview.ts";
export { senseDataset } from "../tables/warehouse/sensed.ts";

/** @param datasets those that are read: none has to be in a warehouse if all are known by their locations. @throws OrcaError `usage` if there is none. */
export function openWarehouse(
  environment: Environment,
  datasets: readonly string[],
  engine?: WarehouseOptions["engine"],
): Warehouse {
  const { ORCA_WAREHOUSE } = environment;
  if (ORCA_WAREHOUSE !== undefined)
    return new Warehouse(ORCA_WAREHOUSE, { access: warehouseAccess(environment), engine });
  const named = datasets.find((dataset) => !isLocation(dataset));
  if (named === undefined) return new Warehouse("memory:", { engine });
  throw new OrcaError("usage", `set ORCA_WAREHOUSE, so that there is a warehouse with ${named}: ${WAREHOUSE_FORMS}`);
}
