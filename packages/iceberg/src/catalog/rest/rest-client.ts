import { IcebergError as RestError, IcebergRestCatalog } from "iceberg-js";
import { IcebergError } from "../../errors.ts";
import { type JsonObject, parseJson, stringifyJson } from "../../json/json.ts";
import { asMap, asString, at, isObject, optional, type Place } from "../../json/read.ts";
import type { TableName } from "../table-name.ts";
import { orAborted } from "./or-aborted.ts";
import type { RestOptions } from "./options.ts";
import { type Asked, refusalError, refusalOf } from "./rest-errors.ts";
import { retryAfterMs } from "./retry-after.ts";
import { LostReply, Transport } from "./transport.ts";

/** A catalog's own properties ("CatalogConfig"), with those that it doesn't let a client change. */
interface Config {
  readonly baseUrl: string;
  /** What comes after `v1/` in paths: empty, or with a slash at its end. */
  readonly prefix: string;
  readonly properties: Readonly<Record<string, string>>;
}

/** The requests that a REST catalog takes. `iceberg-js` makes them, except for those whose JSON has integers of 64 bits. */
export class RestClient {
  readonly baseUrl: string;
  readonly #options: RestOptions;
  readonly #transport: Transport;
  #config: Promise<Config> | undefined;

  /** @param baseUrl without a slash at its end, and without `v1`. */
  constructor(baseUrl: string, options: RestOptions) {
    this.baseUrl = baseUrl;
    this.#options = options;
    this.#transport = new Transport(options, options.oauth2ServerUri ?? `${baseUrl}/v1/oauth/tokens`);
  }

  /** The catalog's properties for all tables: those of S3 are among them. */
  async properties(signal: AbortSignal | undefined): Promise<Readonly<Record<string, string>>> {
    return (await this.#configured(signal)).properties;
  }

  /** Has `iceberg-js` make a request. */
  async request<T>(
    asked: Asked,
    signal: AbortSignal | undefined,
    make: (catalog: IcebergRestCatalog) => Promise<T>,
  ): Promise<T> {
    const { baseUrl, prefix } = await this.#configured(signal);
    const catalog = new IcebergRestCatalog({
      baseUrl,
      // it has no other way to be told a prefix, a signal, or that a token is over
      fetch: async (url, init) => {
        const reply = await this.#transport.fetch(withPrefix(urlText(url), baseUrl, prefix), init ?? {}, signal);
        if (!reply.ok || reply.body === null) return reply;
        // it takes an answer of another kind, such as a login's page, for one that has nothing in it
        const text = await reply.text();
        objectOf(text, baseUrl, "GET");
        return new Response(text, { headers: { "content-type": "application/json" } });
      },
    });
    try {
      return await make(catalog);
    } catch (error) {
      signal?.throwIfAborted();
      // what it makes of a reply of another form than it expects is an error of JavaScript's
      if (!(error instanceof RestError)) throw strange(baseUrl, { cause: error });
      if (error.details instanceof IcebergError) throw error.details;
      const { status, icebergType: type, message } = error;
      throw refusalError({ status, type, message }, asked, { cause: error });
    }
  }

  /** Makes a request to a path of a table, or to that of all of its namespace; gives what it answers, with its integers exact. */
  async requestJson(
    asked: Asked,
    method: "GET" | "POST",
    { namespace, name }: Omit<TableName, "name" | "text"> & { readonly name?: string | undefined },
    body: unknown,
    signal: AbortSignal | undefined,
  ): Promise<JsonObject> {
    const { baseUrl, prefix } = await this.#configured(signal);
    const table = name === undefined ? "" : `/${encodeURIComponent(name)}`;
    const url = `${baseUrl}/v1/${prefix}namespaces/${namespace.map(encodeURIComponent).join("%1F")}/tables${table}`;
    const headers = {
      ...(body !== undefined && { "content-type": "application/json" }),
      ...(this.#options.areCredentialsVended === true && { "x-iceberg-access-delegation": "vended-credentials" }),
    };
    const init = { method, headers, ...(body !== undefined && { body: stringifyJson(body) }) };
    const reply = await this.#transport.fetch(url, init, signal);
    const text = await reply.text();
    if (reply.ok) return objectOf(text, url, method);
    if (method === "POST" && (reply.status >= 500 || reply.status === 408) && reply.status !== 501)
      throw new LostReply(url, `answered ${reply.status}`, { retryAfterMs: retryAfterMs(reply.headers, Date.now()) });
    throw refusalError(refusalOf(reply.status, text), asked);
  }

  async #configured(signal: AbortSignal | undefined): Promise<Config> {
    return await orAborted(() => (this.#config ??= this.#loadConfig().catch(this.#forgetConfig)), signal);
  }

  /** The next asks for it again. */
  readonly #forgetConfig = (error: unknown): never => {
    this.#config = undefined;
    throw error;
  };

  async #loadConfig(): Promise<Config> {
    const { warehouse } = this.#options;
    const query = warehouse === undefined ? "" : `?${new URLSearchParams({ warehouse }).toString()}`;
    const url = `${this.baseUrl}/v1/config${query}`;
    const reply = await this.#transport.fetch(url, { method: "GET" });
    const text = await reply.text();
    if (!reply.ok) {
      const asked = { what: "give its configuration", missing: "catalog-failed", conflict: "catalog-failed" } as const;
      throw refusalError(refusalOf(reply.status, text), asked);
    }
    const config: Place = { json: objectOf(text, url, "GET"), path: "" };
    const texts = (name: string) => optional(at(config, name), (map) => asMap(map, asString)) ?? {};
    const properties = { ...texts("defaults"), ...texts("overrides") };
    const { prefix = "", uri } = properties;
    return {
      baseUrl: (uri ?? this.baseUrl).replace(/\/+$/, ""),
      prefix: prefix.replace(/^\/+|\/+$/g, "").replace(/.$/, "$&/"),
      properties,
    };
  }
}

/** `iceberg-js` takes a warehouse's name for the prefix of a catalog that says none, so it isn't told either. */
function withPrefix(url: string, baseUrl: string, prefix: string): string {
  return `${baseUrl}/v1/${prefix}${url.slice(`${baseUrl}/v1/`.length)}`;
}

function urlText(url: string | URL | Request): string {
  return url instanceof Request ? url.url : String(url);
}

function strange(url: string, options?: ErrorOptions): IcebergError {
  const why = `what ${new URL(url).origin} answers isn't what a REST catalog does: look whether the catalog's URL is right`;
  return new IcebergError("catalog-failed", why, options);
}

/** An answer to what changes something, and isn't JSON, leaves it unknown. */
function objectOf(text: string, url: string, method: "GET" | "POST"): JsonObject {
  try {
    const json = parseJson(text, "the answer");
    if (isObject(json)) return json;
    throw new IcebergError("invalid-metadata", "the answer isn't an object");
  } catch (cause) {
    throw method === "POST"
      ? new LostReply(url, `answered with something else than JSON`, { cause })
      : strange(url, { cause });
  }
}
