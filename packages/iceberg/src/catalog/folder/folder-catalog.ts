import { type Abortable, ObjectStoreError } from "@orcajs/objectstore";
import type { Engine } from "../../engine/engine.ts";
import { IcebergError } from "../../errors.ts";
import type { TableFiles } from "../../files/table-files.ts";
import { inParallel } from "../../in-parallel.ts";
import { Table } from "../../table.ts";
import type { Catalog, CreateTableOptions, DropTableOptions } from "../catalog.ts";
import { firstMetadata } from "../creation.ts";
import { isNamePart, parseNamespace, parseTableName, type TableName } from "../table-name.ts";
import { dropFolder } from "./drop-folder.ts";
import { FolderOperations } from "./folder-operations.ts";
import { hasVersions } from "./version-files.ts";

/** What makes a folder a namespace before there is a table in it: stores of objects have no empty folders. Others ignore it, by its dot. */
const MARKER = ".namespace";

/** How many folders are looked into at once. */
const LOOKS_MAX = 16;

/** Tables by their folders, as Hadoop's catalog has them: `<warehouse>/<namespace>/<table>`; in a folder, in S3 or in memory. */
export class FolderCatalog implements Catalog {
  readonly location: string;
  readonly #files: TableFiles;
  readonly engine: Engine;

  /** Disposes the files and the engine with itself. @param location the warehouse's URI, without a slash at its end. */
  constructor(location: string, files: TableFiles, engine: Engine) {
    this.location = location;
    this.#files = files;
    this.engine = engine;
  }

  async createNamespace(name: string, options: Abortable = {}): Promise<void> {
    const parts = parseNamespace(name);
    if (parts.length > 1) await this.#requireNamespace(parts.slice(0, -1), options);
    const folder = this.#folder(parts);
    const exists = new IcebergError("namespace-exists", `there is a namespace ${name} in ${this.location} already`);
    if (await hasVersions(this.#files, folder, options))
      throw new IcebergError(
        "table-exists",
        `${name} is a table in ${this.location}, and can't be a namespace as well`,
      );
    if (await this.#isNamespace(parts, options)) throw exists;
    try {
      await this.#files.write(`${folder}/${MARKER}`, "", options);
    } catch (error) {
      throw error instanceof ObjectStoreError && error.code === "conflict" ? exists : error;
    }
  }

  async listNamespaces(parent?: string, options: Abortable = {}): Promise<readonly string[]> {
    const parts = parent === undefined ? [] : parseNamespace(parent);
    return await this.#children(parts, false, options);
  }

  async dropNamespace(name: string, options: Abortable = {}): Promise<void> {
    const parts = parseNamespace(name);
    await this.#requireNamespace(parts, options);
    const folder = this.#folder(parts);
    for await (const { uri } of this.#files.list(folder, options))
      if (uri !== `${folder}/${MARKER}`)
        throw new IcebergError(
          "invalid-change",
          `namespace ${name} can't be dropped: it isn't empty, as ${uri} is in it; drop its namespaces and, with purge, its tables first`,
        );
    await this.#files.delete([`${folder}/${MARKER}`], options);
  }

  async createTable(name: string, table: CreateTableOptions): Promise<Table> {
    const { signal, location } = table;
    const parsed = parseTableName(name);
    const folder = this.#folder([...parsed.namespace, parsed.name]);
    if (location !== undefined && location.replace(/\/+$/, "") !== folder)
      throw new IcebergError(
        "unsupported",
        `table ${name} can't be at ${location}: this catalog finds tables by their folders, and this one's is ${folder}`,
      );
    const metadata = firstMetadata(table, folder);
    await this.#requireNamespace(parsed.namespace, { signal });
    if ((await this.#files.sizeBytes(`${folder}/${MARKER}`, { signal })) !== undefined)
      throw new IcebergError("namespace-exists", `${name} is a namespace, and can't be a table as well`);
    const operations = this.#operations(parsed);
    return new Table(operations, await operations.create(metadata, { signal }), this.engine);
  }

  async loadTable(name: string, options: Abortable = {}): Promise<Table> {
    const operations = this.#operations(parseTableName(name));
    return new Table(operations, await operations.load(options), this.engine);
  }

  async tableExists(name: string, options: Abortable = {}): Promise<boolean> {
    const { namespace, name: last } = parseTableName(name);
    return await hasVersions(this.#files, this.#folder([...namespace, last]), options);
  }

  async listTables(namespace: string, options: Abortable = {}): Promise<readonly string[]> {
    return await this.#children(parseNamespace(namespace), true, options);
  }

  /** Without `purge`, what was written of the table stays in its folder, but nothing finds it any more; to purge it then removes that. */
  async dropTable(name: string, { purge = false, signal }: DropTableOptions = {}): Promise<void> {
    const { namespace, name: last } = parseTableName(name);
    const folder = this.#folder([...namespace, last]);
    const isThere = await hasVersions(this.#files, folder, { signal });
    const isLeft = !isThere && purge && (await this.#folders(folder, { signal })).includes("metadata");
    if (!isThere && !isLeft) throw new IcebergError("table-missing", `there is no table ${name} in ${this.location}`);
    await dropFolder(this.#files, folder, { purge, signal });
  }

  async renameTable(name: string, to: string): Promise<void> {
    parseTableName(name);
    parseTableName(to);
    throw new IcebergError(
      "unsupported",
      `table ${name} can't be renamed: this catalog finds tables by their folders, and files have the table's in their names`,
    );
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.engine[Symbol.asyncDispose]();
    await this.#files[Symbol.asyncDispose]();
  }

  #folder(parts: readonly string[]): string {
    return [this.location.replace(/^\/$/, ""), ...parts].join("/");
  }

  #operations({ namespace, name, text }: TableName): FolderOperations {
    return new FolderOperations(text, this.#folder([...namespace, name]), this.#files);
  }

  /** The tables right in a namespace, or the namespaces. */
  async #children(parent: readonly string[], areTables: boolean, options: Abortable): Promise<readonly string[]> {
    if (parent.length > 0) await this.#requireNamespace(parent, options);
    // names with dots can't be asked for
    const names = (await this.#folders(this.#folder(parent), options)).filter(isNamePart);
    const isWanted = (name: string) =>
      areTables
        ? hasVersions(this.#files, this.#folder([...parent, name]), options)
        : this.#isNamespace([...parent, name], options);
    const are = await inParallel(LOOKS_MAX, names, isWanted);
    return names.filter((_, i) => are[i]).map((name) => [...parent, name].join("."));
  }

  async #requireNamespace(parts: readonly string[], options: Abortable): Promise<void> {
    if (await this.#isNamespace(parts, options)) return;
    throw new IcebergError("namespace-missing", `there is no namespace ${parts.join(".")} in ${this.location}`);
  }

  /** What has the marker, or as others make no markers, folders: if `metadata` is among them it is a table, or what is left of one. */
  async #isNamespace(parts: readonly string[], options: Abortable): Promise<boolean> {
    const folder = this.#folder(parts);
    if ((await this.#files.sizeBytes(`${folder}/${MARKER}`, options)) !== undefined) return true;
    const folders = await this.#folders(folder, options);
    return folders.length > 0 && !folders.includes("metadata");
  }

  /** The names of the folders right in a folder. */
  async #folders(folder: string, options: Abortable): Promise<readonly string[]> {
    const { store, key } = this.#files.objectAt(`${folder}/${MARKER}`);
    const prefix = key.slice(0, -MARKER.length);
    const names: string[] = [];
    for await (const child of store.listFolders(prefix, options)) names.push(child.slice(prefix.length, -1));
    return names;
  }
}
