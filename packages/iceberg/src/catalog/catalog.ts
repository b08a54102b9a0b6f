import type { Abortable } from "@orcajs/objectstore";
import type { Engine } from "../engine/engine.ts";
import type { FormatVersion } from "../metadata/table-metadata.ts";
import type { PartitionBy } from "../partition/spec-changes.ts";
import type { SortBy } from "../partition/sort-by.ts";
import type { Columns } from "../schema/columns.ts";
import type { Field } from "../schema/type.ts";
import type { Table } from "../table.ts";

/** What a new table is. */
export interface CreateTableOptions extends Abortable {
  /** `{ id: "long", day: "date", value: "double?" }`. Either this or `fields`. */
  readonly columns?: Columns | undefined;
  /** The columns as the format has them. Their ids only tell them apart: the table's own are new. */
  readonly fields?: readonly Field[] | undefined;
  /** Columns that identify a row together: required ones. Default: none. */
  readonly identifiedBy?: readonly string[] | undefined;
  /** Columns, or columns with a transform: `["day", { column: "id", transform: "bucket[16]" }]`. Default: not partitioned. */
  readonly partitionBy?: readonly (string | PartitionBy)[] | undefined;
  /** How the rows of files are sorted. Default: not. */
  readonly sortBy?: readonly (string | SortBy)[] | undefined;
  readonly properties?: Readonly<Record<string, string>> | undefined;
  /** Default 2. */
  readonly formatVersion?: Exclude<FormatVersion, 3> | undefined;
  /** Where its files are. Default: where the catalog puts them; a catalog that is a folder takes no other. */
  readonly location?: string | undefined;
}

export interface DropTableOptions extends Abortable {
  /**
   * Whether its files are deleted. Default: no, only what makes them a table. A REST catalog may delete them later, or not at all.
   */
  readonly purge?: boolean | undefined;
}

/**
 * Tables by their names, which have dots between the parts: `weather.rain` is table `rain` of namespace `weather`. Parts have 1 to 255 bytes in UTF-8,
 * no slashes and no control characters.
 *
 * Every method throws IcebergError `invalid-name`, and `catalog-failed` if a REST catalog can't be reached or refuses; where a catalog is a folder or
 * a bucket, its errors are the object store's.
 */
export interface Catalog extends AsyncDisposable {
  /** As `openCatalog` was given it, without what a URL's query has. */
  readonly location: string;
  /** What its tables are read and written with; it runs SQL, too. */
  readonly engine: Engine;

  /** @throws IcebergError `namespace-exists`; `namespace-missing` if what it is to be in isn't there. */
  createNamespace(name: string, options?: Abortable): Promise<void>;

  /** The full names of the namespaces right in a namespace, or in none. @throws IcebergError `namespace-missing` */
  listNamespaces(parent?: string, options?: Abortable): Promise<readonly string[]>;

  /** Drops a namespace that has nothing in it. @throws IcebergError `namespace-missing`; `invalid-change` if it isn't empty. */
  dropNamespace(name: string, options?: Abortable): Promise<void>;

  /**
   * Makes a table: of all who try at the same time one succeeds.
   *
   * @throws IcebergError `table-exists`; `namespace-missing`; `invalid-metadata` if the columns aren't valid; `invalid-change` if they can't be
   * partitioned or sorted so; `commit-unknown` if a REST catalog's reply was lost, and there is such a table now.
   */
  createTable(name: string, table: CreateTableOptions): Promise<Table>;

  /** @throws IcebergError `table-missing`; `invalid-metadata` and `unsupported`, with the metadata file. */
  loadTable(name: string, options?: Abortable): Promise<Table>;

  tableExists(name: string, options?: Abortable): Promise<boolean>;

  /** The full names of a namespace's tables. @throws IcebergError `namespace-missing` */
  listTables(namespace: string, options?: Abortable): Promise<readonly string[]>;

  /** @throws IcebergError `table-missing` */
  dropTable(name: string, options?: DropTableOptions): Promise<void>;

  /** @throws IcebergError `table-missing`; `table-exists`; `namespace-missing`; `unsupported` where tables are found by their folders. */
  renameTable(name: string, to: string, options?: Abortable): Promise<void>;
}
