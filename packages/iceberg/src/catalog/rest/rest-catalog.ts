import type { Abortable } from "@orcajs/objectstore";
import type { Engine } from "../../engine/engine.ts";
import { IcebergError } from "../../errors.ts";
import type { JsonObject } from "../../json/json.ts";
import { Table } from "../../table.ts";
import type { Catalog, CreateTableOptions, DropTableOptions } from "../catalog.ts";
import { firstMetadata } from "../creation.ts";
import { isNamePart, parseNamespace, parseTableName, type TableName } from "../table-name.ts";
import type { RestClient } from "./rest-client.ts";
import type { Asked } from "./rest-errors.ts";
import { RestOperations } from "./rest-operations.ts";
import { type RestTable, RestTables } from "./rest-tables.ts";
import { LostReply } from "./transport.ts";
import type { VendedFiles } from "./vended-files.ts";

/** A catalog that gives more pages than this gives them for ever. */
const PAGES_MAX = 10_000;

/** Tables of a catalog that is reached by Iceberg's REST interface. */
export class RestCatalog implements Catalog {
  readonly location: string;
  readonly #client: RestClient;
  readonly #files: VendedFiles;
  readonly engine: Engine;
  readonly #tables: RestTables;
  readonly #retryMs: number;

  /** Disposes the files and the engine with itself. */
  constructor(location: string, client: RestClient, files: VendedFiles, engine: Engine, retryMs: number) {
    this.location = location;
    this.#client = client;
    this.#files = files;
    this.engine = engine;
    this.#tables = new RestTables(client, files);
    this.#retryMs = retryMs;
  }

  async createNamespace(name: string, { signal }: Abortable = {}): Promise<void> {
    const namespace = parseNamespace(name);
    const asked = ofNamespace(`create namespace ${name}`, "namespace-exists");
    await this.#client.request(asked, signal, (catalog) => catalog.createNamespace({ namespace: [...namespace] }));
  }

  async listNamespaces(parent?: string, { signal }: Abortable = {}): Promise<readonly string[]> {
    const parts = parent === undefined ? undefined : { parent: { namespace: [...parseNamespace(parent)] } };
    const asked = ofNamespace(`list namespaces${parent === undefined ? "" : ` of ${parent}`}`);
    const names: string[] = [];
    for (let page = 1, pageToken: string | undefined; page <= PAGES_MAX; page++) {
      const options = { ...parts, ...(pageToken !== undefined && { pageToken }) };
      const { namespaces, nextPageToken } = await this.#client.request(asked, signal, (c) => c.listNamespaces(options));
      names.push(...namespaces.flatMap(({ namespace }) => (namespace.every(isNamePart) ? [namespace.join(".")] : [])));
      if (!nextPageToken) return names;
      pageToken = nextPageToken;
    }
    throw endless(asked);
  }

  async dropNamespace(name: string, { signal }: Abortable = {}): Promise<void> {
    const namespace = parseNamespace(name);
    const asked = ofNamespace(`drop namespace ${name}`, "invalid-change");
    await this.#client.request(asked, signal, (catalog) => catalog.dropNamespace({ namespace: [...namespace] }));
  }

  async createTable(name: string, wished: CreateTableOptions): Promise<Table> {
    const table = parseTableName(name);
    const { signal, location } = wished;
    const metadata = firstMetadata(wished, location ?? "");
    const request: JsonObject = {
      name: table.name,
      ...(location !== undefined && { location: metadata.location }),
      schema: metadata.schemas[0],
      "partition-spec": metadata["partition-specs"][0],
      "write-order": metadata["sort-orders"][0],
      properties: { ...metadata.properties, "format-version": String(metadata["format-version"]) },
      "stage-create": false,
    };
    try {
      return this.#table(table, await this.#tables.create(table, request, signal));
    } catch (error) {
      if (!(error instanceof LostReply)) throw error;
      throw new IcebergError(
        "commit-unknown",
        `whether table ${name} was created isn't known, as the catalog's reply was lost: look whether it is there`,
        { cause: error },
      );
    }
  }

  async loadTable(name: string, { signal }: Abortable = {}): Promise<Table> {
    const table = parseTableName(name);
    return this.#table(table, await this.#tables.load(table, signal));
  }

  async tableExists(name: string, { signal }: Abortable = {}): Promise<boolean> {
    const asked = ofTable(`look for table ${name}`);
    const { namespace, name: last } = parseTableName(name);
    return await this.#client.request(asked, signal, (c) => c.tableExists({ namespace: [...namespace], name: last }));
  }

  async listTables(namespace: string, { signal }: Abortable = {}): Promise<readonly string[]> {
    const parts = { namespace: [...parseNamespace(namespace)] };
    const asked = ofNamespace(`list tables of ${namespace}`);
    const names: string[] = [];
    for (let page = 1, pageToken: string | undefined; page <= PAGES_MAX; page++) {
      const options = pageToken === undefined ? {} : { pageToken };
      const { identifiers, nextPageToken } = await this.#client.request(asked, signal, (c) =>
        c.listTables(parts, options),
      );
      names.push(...identifiers.flatMap(({ name }) => (isNamePart(name) ? [`${namespace}.${name}`] : [])));
      if (!nextPageToken) return names;
      pageToken = nextPageToken;
    }
    throw endless(asked);
  }

  async dropTable(name: string, { purge = false, signal }: DropTableOptions = {}): Promise<void> {
    const { namespace, name: last } = parseTableName(name);
    const id = { namespace: [...namespace], name: last };
    await this.#client.request(ofTable(`drop table ${name}`), signal, (catalog) => catalog.dropTable(id, { purge }));
  }

  async renameTable(name: string, to: string, { signal }: Abortable = {}): Promise<void> {
    const [from, target] = [parseTableName(name), parseTableName(to)];
    const asked = {
      what: `rename table ${name} to ${to}`,
      missing: "namespace-missing",
      conflict: "table-exists",
    } as const;
    await this.#client.request(asked, signal, (catalog) =>
      catalog.renameTable({
        source: { namespace: [...from.namespace], name: from.name },
        destination: { namespace: [...target.namespace], name: target.name },
      }),
    );
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.engine[Symbol.asyncDispose]();
    await this.#files[Symbol.asyncDispose]();
  }

  #table(name: TableName, { state, files }: RestTable): Table {
    return new Table(new RestOperations(name, this.#tables, files, this.#retryMs), state, this.engine);
  }
}

function ofNamespace(what: string, conflict: Asked["conflict"] = "catalog-failed"): Asked {
  return { what, missing: "namespace-missing", conflict };
}

function ofTable(what: string): Asked {
  return { what, missing: "table-missing", conflict: "catalog-failed" };
}

function endless({ what }: Asked): IcebergError {
  return new IcebergError("catalog-failed", `the catalog can't ${what}: it gives more than ${PAGES_MAX} pages`);
}
