/**
 * What icebird reads of tables: a reader in JavaScript, with a Parquet reader of its own (hyparquet). Version 0.3.1 rounds decimals to numbers and cuts
 * timestamps to milliseconds, decodes binaries as texts, has nested fields as a file has them whatever became of them in the table, finds no
 * columns whose names have other characters than letters, digits and underscores, and refuses manifests of version 1 that have files from before.
 */
import { readFileSync } from "node:fs";
import {
  type Field,
  fromBytes,
  type Json,
  type JsonObject,
  openTable,
  type SnapshotChoice,
  type Type,
  valueText,
} from "@orcajs/iceberg";
import { icebergRead } from "icebird";
import { vi } from "vitest";

type Metadata = NonNullable<Parameters<typeof icebergRead>[0]["metadata"]>;

/** The rows of a snapshot, in the canonical form as far as icebird has them so. */
export async function readByIcebird(location: string, choice?: SnapshotChoice): Promise<readonly JsonObject[]> {
  await using table = await openTable(location);
  const { schema, snapshot } = table.scan({ snapshot: choice });
  if (snapshot?.summary?.["total-records"] === "0") return []; // icebird takes it for an error that there are no files
  const metadata = {
    ...(JSON.parse(readFileSync(pathOf(location), "utf8")) as Metadata),
    "current-snapshot-id": Number(snapshot!["snapshot-id"]),
    "current-schema-id": schema.id,
  };
  vi.stubGlobal("fetch", fetchFile);
  try {
    const rows = await icebergRead({ tableUrl: table.location, metadata });
    return rows.map((row) => struct(schema.fields, row));
  } finally {
    vi.unstubAllGlobals();
  }
}

/** What icebird can give of a row in the canonical form. */
export function asByIcebird(fields: readonly Field[], row: JsonObject): JsonObject {
  return Object.fromEntries(fields.map(({ name, type }) => [name, given(type, row[name]!)]));
}

function given(type: Type, json: Json): Json {
  if (json === null) return null;
  switch (type.kind) {
    case "struct":
      return asByIcebird(type.fields, json as JsonObject);
    case "list":
      return (json as readonly Json[]).map((element) => given(type.element, element));
    case "map":
      return (json as readonly [Json, Json][]).map(([k, v]) => [given(type.key, k), given(type.value, v)]);
    case "decimal":
      return Number((json as string).replace(".", "")) * 10 ** -type.scale;
    case "timestamp":
    case "timestamptz":
      return milliseconds(BigInt(json as string) / 1000n);
    case "fixed":
    case "binary":
      return Buffer.from(json as string, "hex").toString();
    default:
      return json;
  }
}

function struct(fields: readonly Field[], row: Readonly<Record<string, unknown>>): JsonObject {
  return Object.fromEntries(fields.map(({ name, type }) => [name, canonical(type, row[name])]));
}

function canonical(type: Type, value: unknown): Json {
  if (value === null || value === undefined) return null;
  switch (type.kind) {
    case "struct":
      return struct(type.fields, value as JsonObject);
    case "list":
      return (value as readonly unknown[]).map((element) => canonical(type.element, element));
    case "map": {
      const isNumber = type.key.kind === "int";
      return Object.entries(value).map(([k, v]) => [isNumber ? Number(k) : k, canonical(type.value, v)]);
    }
    case "float":
    case "double":
      return Number.isFinite(value) && !Object.is(value, -0) ? (value as number) : valueText(type, value as number);
    case "date":
      return (value as Date).getTime() / 86_400_000;
    case "timestamp":
    case "timestamptz":
      return milliseconds(BigInt((value as Date).getTime()));
    case "uuid":
      return fromBytes(type, value as Uint8Array) as string;
    case "long":
    case "time":
      return (value as bigint).toString();
    default:
      return value as Json;
  }
}

function milliseconds(count: bigint): string {
  return `${count} ms`;
}

/** Icebird reads over HTTP alone. */
function fetchFile(url: string, { headers }: RequestInit = {}): Promise<Response> {
  const bytes = readFileSync(pathOf(url));
  const range = /^bytes=(\d+)-(\d*)$/.exec(new Headers(headers).get("range") ?? "");
  if (range === null) return Promise.resolve(new Response(bytes));
  const [from, to] = [Number(range[1]), range[2] === "" ? bytes.length : Number(range[2]) + 1];
  return Promise.resolve(new Response(bytes.subarray(from, to), { status: 206 }));
}

/** Locations are URIs or paths. */
function pathOf(location: string): string {
  return location.replace(/^file:\/\//, "");
}
