import type { ObjectStoreOptions } from "@orcajs/objectstore";
import { Engine, type EngineOptions } from "../engine/engine.ts";
import { TableFiles } from "../files/table-files.ts";
import type { Catalog } from "./catalog.ts";
import { FolderCatalog } from "./folder/folder-catalog.ts";
import { openRest } from "./rest/open-rest.ts";
import type { RestOptions } from "./rest/options.ts";
import { warehouseOf } from "./warehouse.ts";

export interface CatalogOptions extends ObjectStoreOptions {
  /** DuckDB's limits. */
  readonly engine?: EngineOptions | undefined;
  /** How a REST catalog is reached. */
  readonly rest?: RestOptions | undefined;
}

/**
 * The catalog at a location. Nothing is read, made or loaded until it is used. Dispose it: it has connections and DuckDB.
 *
 * | location | catalog |
 * | --- | --- |
 * | `/data/lake`, `data/lake`, `file:///data/lake` | a folder, laid out as Hadoop's catalog does |
 * | `s3://bucket`, `s3://bucket/prefix` | the same in a bucket; `?endpoint=…`, `region=…` and `path-style=true` are as `options.s3` has them |
 * | `memory:name` | the same in this process's memory, and the same tables for the same name; a new one for `memory:` |
 * | `rest+https://host/path`, `rest+http://…` | one that is reached by Iceberg's REST interface; `?warehouse=…` is as `options.rest` has it |
 *
 * @throws IcebergError `unsupported` on anything else
 */
export function openCatalog(location: string, options: CatalogOptions = {}): Catalog {
  const { engine, rest = {}, ...storeOptions } = options;
  if (/^rest\+https?:/i.test(location)) return openRest(location, rest, storeOptions, engine);
  const warehouse = warehouseOf(location, storeOptions);
  return new FolderCatalog(warehouse.uri, new TableFiles(warehouse.options), new Engine(engine));
}
