/** A table in memory, and what is done to its files. */
import { randomUUID } from "node:crypto";
import type { CreateTableOptions } from "../catalog/catalog.ts";
import { FolderOperations } from "../catalog/folder/folder-operations.ts";
import { openCatalog } from "../catalog/open.ts";
import { CountedFiles } from "../commit/commit-table.fixture.ts";
import type { Engine } from "../engine/engine.ts";
import { Table } from "../table.ts";

export interface RowsTable {
  readonly table: Table;
  readonly files: CountedFiles;
  /** The same table as another process has it. */
  another(): Promise<Table>;
  /** The paths of its data files in use, in order. */
  dataFiles(): Promise<readonly string[]>;
  /** All files in its data folder, in order. */
  dataFolder(): Promise<readonly string[]>;
}

export async function rowsTable(options: CreateTableOptions, engine: Engine): Promise<RowsTable> {
  const at = `memory:${randomUUID()}`;
  await using catalog = openCatalog(at);
  await catalog.createNamespace("a");
  const { location } = await catalog.createTable("a.t", options);
  const open = async (files: CountedFiles) => {
    const operations = new FolderOperations("a.t", location, files);
    return new Table(operations, await operations.load(), engine);
  };
  const files = new CountedFiles();
  const table = await open(files);
  return {
    table,
    files,
    another: () => open(new CountedFiles()),
    dataFiles: async () => (await table.scan().files()).map(({ file }) => file.file.path).toSorted(),
    dataFolder: async () => {
      const found: string[] = [];
      for await (const { uri } of files.list(`${location}/data`)) found.push(uri);
      return found.toSorted();
    },
  };
}
