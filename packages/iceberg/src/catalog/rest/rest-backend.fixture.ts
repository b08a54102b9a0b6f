import { randomUUID } from "node:crypto";
import type { IcebergError } from "../../errors.ts";
import type { TableFiles } from "../../files/table-files.ts";
import { type JsonObject, parseJson } from "../../json/json.ts";
import { metadataFromJson } from "../../metadata/parse.ts";
import { highestId, parseSchema } from "../../schema/schema.ts";
import { dropFolder } from "../folder/drop-folder.ts";
import { FolderOperations } from "../folder/folder-operations.ts";
import type { TableChange, TableState } from "../table-operations.ts";
import { failure, type RestReply, type RestRequest } from "./rest-messages.fixture.ts";

/** So many names are on a page of a list. */
const PAGE_NAMES = 2;

interface Entry {
  readonly location: string;
  readonly operations: FolderOperations;
}

/** The routes of the REST catalog specification, and what they do. Names are kept with U+001F between their parts, as paths have them. */
export class RestBackend {
  readonly #warehouse: string;
  readonly #files: TableFiles;
  readonly #withTable: () => object;
  readonly #namespaces = new Set<string>();
  readonly #tables = new Map<string, Entry>();

  constructor(warehouse: string, files: TableFiles, withTable: () => object) {
    this.#warehouse = warehouse;
    this.#files = files;
    this.#withTable = withTable;
  }

  async answer(request: RestRequest): Promise<RestReply> {
    const [what, namespace, tables, table] = request.path.slice(1).split("/").map(decodeURIComponent);
    const body = request.text === "" ? {} : (parseJson(request.text, "the request") as JsonObject);
    if (what === "tables" && namespace === "rename") return this.#rename(body);
    if (namespace === undefined) return request.method === "POST" ? this.#createNamespace(body) : this.#list(request);
    if (!this.#namespaces.has(namespace))
      return failure(404, table === undefined ? "NoSuchNamespaceException" : "NoSuchTableException");
    if (tables === undefined) return this.#namespace(request.method, namespace);
    if (table !== undefined) return await this.#table(request, `${namespace}\u001f${table}`, body);
    if (request.method === "POST") return await this.#createTable(namespace, body);
    const names = within(this.#tables.keys(), namespace);
    return paged(request, names, "identifiers", (name) => ({ namespace: namespace.split("\u001f"), name: last(name) }));
  }

  #createNamespace(body: JsonObject): RestReply {
    const parts = body["namespace"] as string[];
    const name = parts.join("\u001f");
    if (parts.length > 1 && !this.#namespaces.has(parts.slice(0, -1).join("\u001f")))
      return failure(404, "NoSuchNamespaceException");
    if (this.#namespaces.has(name)) return failure(409, "AlreadyExistsException");
    this.#namespaces.add(name);
    return { status: 200, json: { namespace: parts, properties: {} } };
  }

  #list(request: RestRequest): RestReply {
    const parent = request.query.get("parent");
    if (parent !== null && !this.#namespaces.has(parent)) return failure(404, "NoSuchNamespaceException");
    return paged(request, within(this.#namespaces, parent), "namespaces", (name) => name.split("\u001f"));
  }

  #namespace(method: string, name: string): RestReply {
    if (method !== "DELETE") return { status: 200, json: { namespace: name.split("\u001f"), properties: {} } };
    if (within(this.#namespaces, name).length + within(this.#tables.keys(), name).length > 0)
      return failure(409, "NamespaceNotEmptyException");
    this.#namespaces.delete(name);
    return { status: 204 };
  }

  async #createTable(namespace: string, body: JsonObject): Promise<RestReply> {
    const name = `${namespace}\u001f${body["name"] as string}`;
    if (this.#tables.has(name)) return failure(409, "AlreadyExistsException");
    const uuid = randomUUID();
    const location = (body["location"] as string | undefined) ?? `${this.#warehouse}/${uuid}`;
    const operations = new FolderOperations(name, location, this.#files);
    this.#tables.set(name, { location, operations });
    const { "format-version": version, ...properties } = body["properties"] as Record<string, string>;
    const [schema, spec, order] = [body["schema"], body["partition-spec"], body["write-order"]] as JsonObject[];
    const metadata = metadataFromJson({
      "format-version": Number(version),
      "table-uuid": uuid,
      location,
      "last-sequence-number": 0,
      "last-updated-ms": Date.now(),
      "last-column-id": highestId(parseSchema(schema!).fields),
      schemas: [{ ...schema, "schema-id": 0 }],
      "current-schema-id": 0,
      "partition-specs": [{ ...spec, "spec-id": 0 }],
      "default-spec-id": 0,
      "last-partition-id": 999 + (spec!["fields"] as unknown[]).length,
      "sort-orders": [order!],
      "default-sort-order-id": order!["order-id"],
      properties: { ...properties, "made-by": "a REST catalog" },
    });
    return this.#loaded(await operations.create(metadata));
  }

  async #table(request: RestRequest, name: string, body: JsonObject): Promise<RestReply> {
    const entry = this.#tables.get(name);
    if (entry === undefined) return failure(404, "NoSuchTableException");
    const { location, operations } = entry;
    switch (request.method) {
      case "HEAD":
        return { status: 204 };
      case "DELETE":
        this.#tables.delete(name);
        await dropFolder(this.#files, location, { purge: request.query.get("purgeRequested") === "true" });
        return { status: 204 };
      case "POST":
        try {
          const change = body as unknown as TableChange;
          return this.#loaded(await operations.commit(await operations.load(), change));
        } catch (error) {
          const { code, message } = error as IcebergError;
          if (code === "commit-conflict") return failure(409, "CommitFailedException", message);
          return failure(400, "BadRequestException", message);
        }
      default:
        return this.#loaded(await operations.load());
    }
  }

  #rename(body: JsonObject): RestReply {
    const [source, destination] = [body["source"], body["destination"]].map((id) => {
      const { namespace, name } = id as { namespace: string[]; name: string };
      return { namespace: namespace.join("\u001f"), name: [...namespace, name].join("\u001f") };
    });
    const entry = this.#tables.get(source!.name);
    if (entry === undefined) return failure(404, "NoSuchTableException");
    if (!this.#namespaces.has(destination!.namespace)) return failure(404, "NoSuchNamespaceException");
    if (this.#tables.has(destination!.name)) return failure(409, "AlreadyExistsException");
    this.#tables.delete(source!.name);
    this.#tables.set(destination!.name, entry);
    return { status: 204 };
  }

  #loaded({ metadata, metadataLocation }: TableState): RestReply {
    return { status: 200, json: { "metadata-location": metadataLocation, metadata, ...this.#withTable() } };
  }
}

/** The names right in a namespace, or in none. */
function within(names: Iterable<string>, parent: string | null): readonly string[] {
  const prefix = parent === null ? "" : `${parent}\u001f`;
  return [...names]
    .filter((name) => name.startsWith(prefix) && !name.slice(prefix.length).includes("\u001f"))
    .toSorted();
}

function last(name: string): string {
  return name.slice(name.lastIndexOf("\u001f") + 1);
}

function paged(
  request: RestRequest,
  names: readonly string[],
  field: string,
  make: (name: string) => unknown,
): RestReply {
  const start = Number(request.query.get("pageToken") ?? 0);
  const end = start + PAGE_NAMES;
  const next = end < names.length ? { "next-page-token": String(end) } : {};
  return { status: 200, json: { [field]: names.slice(start, end).map(make), ...next } };
}
