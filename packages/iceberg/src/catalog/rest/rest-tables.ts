import { IcebergError } from "../../errors.ts";
import type { JsonObject } from "../../json/json.ts";
import { asString, at, optional } from "../../json/read.ts";
import { metadataFromJson } from "../../metadata/parse.ts";
import type { TableFiles } from "../../files/table-files.ts";
import type { TableName } from "../table-name.ts";
import type { TableChange, TableState } from "../table-operations.ts";
import type { RestClient } from "./rest-client.ts";
import { LostReply } from "./transport.ts";
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
    const reply = await this.#client.requestJson(asked, "POST", table, { identifier, ...change }, signal);
    try {
      return stateOf(reply, table);
    } catch (cause) {
      // the commit was applied, but to what isn't said
      throw new LostReply(this.#client.baseUrl, "answered with something else than a table", { cause });
    }
  }

  async #loaded(table: TableName, signal: AbortSignal | undefined): Promise<JsonObject> {
    const asked = { what: `load table ${table.text}`, missing: "table-missing", conflict: "catalog-failed" } as const;
    return await this.#client.requestJson(asked, "GET", table, undefined, signal);
  }

  async #table(table: TableName, loaded: JsonObject, signal: AbortSignal | undefined): Promise<RestTable> {
    const state = stateOf(loaded, table);
    const common = await this.#client.properties(signal);
    const propertiesOf = (reply: JsonObject) => ({ ...common, ...filePropertiesOf(reply, state.metadata.location) });
    const reload = async () => propertiesOf(await this.#loaded(table, undefined));
    return { state, files: this.#files.of(table.text, propertiesOf(loaded), reload) };
  }
}

/** A catalog needn't say where the metadata file is. */
function stateOf(reply: JsonObject, { text }: TableName): TableState {
  try {
    return {
      metadata: metadataFromJson(reply["metadata"] ?? null),
      metadataLocation: optional(at({ json: reply, path: "" }, "metadata-location"), asString) ?? "",
    };
  } catch (error) {
    if (!(error instanceof IcebergError)) throw error;
    throw new IcebergError(error.code, `table ${text}, as its catalog has it: ${error.message}`, { cause: error });
  }
}
