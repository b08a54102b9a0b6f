import type { Abortable, ObjectStoreOptions } from "@orcajs/objectstore";
import { Engine, type EngineOptions } from "../engine/engine.ts";
import { IcebergError } from "../errors.ts";
import { TableFiles } from "../files/table-files.ts";
import { Table } from "../table.ts";
import type { CreateTableOptions } from "./catalog.ts";
import { firstMetadata } from "./creation.ts";
import { FileOperations } from "./file-operations.ts";
import { FolderOperations } from "./folder/folder-operations.ts";
import { hasVersions } from "./folder/version-files.ts";
import { ReadOnlyOperations } from "./read-only-operations.ts";
import { warehouseOf } from "./warehouse.ts";

export interface OpenTableOptions extends ObjectStoreOptions, Abortable {
  /** Whether it is to be changed: only one in a folder of its own without a catalog, laid out as Hadoop's catalog does. Default false. */
  readonly isWritable?: boolean | undefined;
  /** DuckDB's limits; or what other tables are read and written with, so that they can be in one query: the table doesn't dispose it. */
  readonly engine?: EngineOptions | Engine | undefined;
}

/** What a new table is, and how it is opened. */
export interface CreateTableAtOptions
  extends Omit<CreateTableOptions, "location">, Omit<OpenTableOptions, "isWritable"> {}

/**
 * A table by where it is: its folder, or one of its metadata files, which is the table as it was then. Dispose it: it has connections and DuckDB.
 *
 * In a folder the table is the highest version: of `v3.metadata.json`, or as catalogs name them, `00003-<uuid>.metadata.json`. Which of the latter
 * is the current one only their catalog knows: one of a commit that failed may be among them.
 *
 * @throws IcebergError `table-missing`; `invalid-metadata`, `unsupported`; `read-only` if it is to be changed and can't be.
 */
export async function openTable(location: string, options: OpenTableOptions = {}): Promise<Table> {
  const { isWritable = false, signal } = options;
  await using place = placeAt(location, options);
  const { uri, files, engine } = place;
  const operations = await operationsAt(uri, files, isWritable, signal);
  const state = await operations.load({ signal });
  return new Table(operations, state, engine, place.resources.move());
}

/**
 * Makes a table in a folder of its own, without a catalog, laid out as Hadoop's catalog does: of all who try at the same time one succeeds. Dispose it.
 *
 * @throws IcebergError `table-exists`; `invalid-metadata` if the columns aren't valid; `invalid-change` if they can't be partitioned or sorted so.
 */
export async function createTable(location: string, table: CreateTableAtOptions): Promise<Table> {
  const { signal } = table;
  await using place = placeAt(location, table);
  const { uri, files, engine } = place;
  const metadata = firstMetadata(table, uri);
  // a catalog's metadata files have other names, and would be hidden by this table's
  if (await isTable(new FileOperations(uri, files, undefined), signal))
    throw new IcebergError("table-exists", `there is a table in ${uri} already`);
  const operations = new FolderOperations(uri, uri, files);
  return new Table(operations, await operations.create(metadata, { signal }), engine, place.resources.move());
}

function placeAt(location: string, { engine: given, s3 }: OpenTableOptions) {
  const { uri, options } = warehouseOf(location, { s3 });
  const resources = new AsyncDisposableStack();
  const files = resources.use(new TableFiles(options));
  const engine = given instanceof Engine ? given : resources.use(new Engine(given));
  return { uri, files, engine, resources, [Symbol.asyncDispose]: () => resources.disposeAsync() };
}

async function isTable(operations: FileOperations, signal: AbortSignal | undefined): Promise<boolean> {
  try {
    await operations.load({ signal });
    return true;
  } catch (error) {
    if (error instanceof IcebergError && error.code === "table-missing") return false;
    throw error;
  }
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
