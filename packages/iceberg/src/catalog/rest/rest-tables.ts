import type { JsonObject } from "../../json/json.ts";
import { asString, at, optional } from "../../json/read.ts";
import { metadataFromJson } from "../../metadata/parse.ts";
import type { TableFiles } from "../../files/table-files.ts";
import type { TableName } from "../table-name.ts";
import type { TableChange, TableState } from "../table-operations.ts";
import type { RestClient } from "./rest-client.ts";
import { filePropertiesOf, type VendedFiles } from "./vended-files.ts";

export interface RestTable {
  readonly state: TableState;
  readonly files: TableFiles;
}

/** Tables in a REST catalog, as it answers them. */
export class RestTables {
  readonly #client: RestClient;
  readonly #files: VendedFiles;

  constructor(client: RestClient, files: VendedFiles) {
    this.#client = client;
    this.#files = files;
  }

  async load(table: TableName, signal: AbortSignal | undefined): Promise<RestTable> {
    return await this.#table(table, await this.#loaded(table, signal), signal);
  }

  /** @param request "CreateTableRequest" */
  async create(table: TableName, request: JsonObject, signal: AbortSignal | undefined): Promise<RestTable> {
    const asked = {
      what: `create table ${table.text}`,
      missing: "namespace-missing",
      conflict: "table-exists",
    } as const;
    const reply = await this.#client.requestJson(asked, "POST", { namespace: table.namespace }, request, signal);
    return await this.#table(table, reply, signal);
  }

  async commit(table: TableName, change: TableChange, signal: AbortSignal | undefined): Promise<TableState> {
    const asked = {
      what: `commit to table ${table.text}`,
      missing: "table-missing",
      conflict: "commit-conflict",
    } as const;
    const identifier = { namespace: table.namespace, name: table.name };
    return stateOf(await this.#client.requestJson(asked, "POST", table, { identifier, ...change }, signal));
  }

  async #loaded(table: TableName, signal: AbortSignal | undefined): Promise<JsonObject> {
    const asked = { what: `load table ${table.text}`, missing: "table-missing", conflict: "catalog-failed" } as const;
    return await this.#client.requestJson(asked, "GET", table, undefined, signal);
  }

  async #table(table: TableName, loaded: JsonObject, signal: AbortSignal | undefined): Promise<RestTable> {
    const state = stateOf(loaded);
    const common = await this.#client.properties(signal);
    const propertiesOf = (reply: JsonObject) => ({ ...common, ...filePropertiesOf(reply, state.metadata.location) });
    const reload = async () => propertiesOf(await this.#loaded(table, undefined));
    return { state, files: this.#files.of(table.text, propertiesOf(loaded), reload) };
  }
}

/** A catalog needn't say where the metadata file is. */
function stateOf(reply: JsonObject): TableState {
  return {
    metadata: metadataFromJson(reply["metadata"] ?? null),
    metadataLocation: optional(at({ json: reply, path: "" }, "metadata-location"), asString) ?? "",
  };
}
