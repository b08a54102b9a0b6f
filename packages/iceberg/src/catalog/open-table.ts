import type { Abortable, ObjectStoreOptions } from "@orcajs/objectstore";
import { Engine, type EngineOptions } from "../engine/engine.ts";
import { IcebergError } from "../errors.ts";
import { TableFiles } from "../files/table-files.ts";
import { Table } from "../table.ts";
import { FileOperations } from "./file-operations.ts";
import { FolderOperations } from "./folder/folder-operations.ts";
import { hasVersions } from "./folder/version-files.ts";
import { ReadOnlyOperations } from "./read-only-operations.ts";
import { warehouseOf } from "./warehouse.ts";

export interface OpenTableOptions extends ObjectStoreOptions, Abortable {
  /** Whether it is to be changed: only one in a folder of its own without a catalog, laid out as Hadoop's catalog does. Default false. */
  readonly isWritable?: boolean | undefined;
  /** DuckDB's limits. */
  readonly engine?: EngineOptions | undefined;
}

/**
 * A table by where it is: its folder, or one of its metadata files, which is the table as it was then. Dispose it: it has connections and DuckDB.
 *
 * In a folder the table is the highest version: of `v3.metadata.json`, or as catalogs name them, `00003-<uuid>.metadata.json`. Which of the latter
 * is the current one only their catalog knows: one of a commit that failed may be among them.
 *
 * @throws IcebergError `table-missing`; `invalid-metadata`, `unsupported`; `read-only` if it is to be changed and can't be.
 */
export async function openTable(location: string, options: OpenTableOptions = {}): Promise<Table> {
  const { isWritable = false, engine: engineOptions, signal, ...storeOptions } = options;
  const { uri, options: filesOptions } = warehouseOf(location, storeOptions);
  await using resources = new AsyncDisposableStack();
  const files = resources.use(new TableFiles(filesOptions));
  const engine = resources.use(new Engine(engineOptions));
  const operations = await operationsAt(uri, files, isWritable, signal);
  const state = await operations.load({ signal });
  return new Table(operations, state, engine, resources.move());
}

async function operationsAt(uri: string, files: TableFiles, isWritable: boolean, signal: AbortSignal | undefined) {
  const isFile = /\.metadata\.json(\.gz)?$/.test(uri);
  if (!isFile && (await hasVersions(files, uri, { signal }))) {
    const operations = new FolderOperations(uri, uri, files);
    return isWritable ? operations : new ReadOnlyOperations(operations);
  }
  const operations = new FileOperations(uri, files, isFile ? uri : undefined);
  if (!isWritable) return operations;
  await operations.load({ signal });
  throw new IcebergError(
    "read-only",
    isFile
      ? `${uri} is the table as it was at one time: open the table's folder, or its catalog, to change it`
      : `the metadata files of ${uri} are named as catalogs do: open the table by its catalog to change it`,
  );
}
