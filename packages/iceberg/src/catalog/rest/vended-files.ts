/** The files of a REST catalog's tables: where the catalog says how S3 is reached, and with what credentials. */
import type { ObjectStoreOptions, S3Credentials, S3Options } from "@orcajs/objectstore";
import { TableFiles } from "../../files/table-files.ts";
import { asArray, asMap, asString, at, optional, type Place } from "../../json/read.ts";
import type { JsonObject } from "../../json/json.ts";

/** Properties of tables' files ("LoadTableResult", `config`), such as `s3.access-key-id`. */
export type FileProperties = Readonly<Record<string, string>>;

/** Credentials are fetched anew when this much of their time is left: the requests that they are for take a while. */
const LEFT_MS = 5 * 60_000;

interface Vended {
  readonly files: TableFiles;
  properties: FileProperties;
}

export class VendedFiles implements AsyncDisposable {
  readonly #options: ObjectStoreOptions;
  readonly #vended = new Map<string, Vended>();

  /** @param options what is given in them is used rather than what the catalog says. */
  constructor(options: ObjectStoreOptions) {
    this.#options = options;
  }

  /**
   * The files of a table. Tables that are reached alike share connections; one that credentials are vended for has its own.
   *
   * @param reload gives a table's properties anew, when its credentials expire.
   */
  of(table: string, properties: FileProperties, reload: () => Promise<FileProperties>): TableFiles {
    const isVended = this.#options.s3?.credentials === undefined && credentialsOf(properties) !== undefined;
    const settings = settingsOf(properties);
    const key = JSON.stringify([isVended ? table : "", settings]);
    const known = this.#vended.get(key);
    if (known !== undefined) {
      known.properties = properties;
      return known.files;
    }
    const credentials = async (): Promise<S3Credentials> => {
      const current = credentialsOf(vended.properties)!;
      const endsAtMs = current.expiration?.getTime() ?? Infinity;
      if (endsAtMs - Date.now() > LEFT_MS) return current;
      vended.properties = await reload();
      return credentialsOf(vended.properties) ?? current;
    };
    const s3 = { ...settings, ...(isVended && { credentials }), ...given(this.#options.s3) };
    const vended: Vended = { files: new TableFiles({ ...this.#options, s3 }), properties };
    this.#vended.set(key, vended);
    return vended.files;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all([...this.#vended.values()].map(({ files }) => files[Symbol.asyncDispose]()));
    this.#vended.clear();
  }
}

/** The properties that come with a table: its `config`, and of its `storage-credentials` those for the longest beginning of its location. */
export function filePropertiesOf(loaded: JsonObject, location: string): FileProperties {
  const place: Place = { json: loaded, path: "" };
  const config = optional(at(place, "config"), (map) => asMap(map, asString)) ?? {};
  const credentials = optional(at(place, "storage-credentials"), (all) =>
    asArray(all, (one) => ({ prefix: asString(at(one, "prefix")), config: asMap(at(one, "config"), asString) })),
  );
  const fitting = (credentials ?? [])
    .filter(({ prefix }) => location.startsWith(prefix))
    .toSorted((a, b) => b.prefix.length - a.prefix.length)[0];
  return { ...config, ...fitting?.config };
}

function credentialsOf(properties: FileProperties): S3Credentials | undefined {
  const { "s3.access-key-id": accessKeyId, "s3.secret-access-key": secretAccessKey } = properties;
  if (accessKeyId === undefined || secretAccessKey === undefined) return undefined;
  const { "s3.session-token": sessionToken, "s3.session-token-expires-at-ms": endsAtMs } = properties;
  return {
    accessKeyId,
    secretAccessKey,
    ...(sessionToken !== undefined && { sessionToken }),
    ...(endsAtMs !== undefined && { expiration: new Date(Number(endsAtMs)) }),
  };
}

function settingsOf(properties: FileProperties): S3Options {
  const { "s3.endpoint": endpoint, "s3.path-style-access": pathStyle } = properties;
  const region = properties["s3.region"] ?? properties["client.region"];
  return {
    ...(endpoint !== undefined && { endpoint }),
    ...(region !== undefined && { region }),
    ...(pathStyle !== undefined && { pathStyle: pathStyle === "true" }),
  };
}

/** What is given, without what is undefined. */
function given(options: S3Options = {}): S3Options {
  return Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined)) as S3Options;
}
