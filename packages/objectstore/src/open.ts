import { randomUUID } from "node:crypto";
import { fileURLToPath } from "node:url";
import { ObjectStoreError } from "./errors.ts";
import { FolderStore } from "./folder/folder-store.ts";
import { keyFault, quoted } from "./key.ts";
import { MemoryStore } from "./memory-store.ts";
import type { ObjectStore } from "./object-store.ts";
import type { S3Options } from "./s3/options.ts";
import { S3Store } from "./s3/s3-store.ts";

/** How a store is reached. */
export interface ObjectStoreOptions {
  readonly s3?: S3Options | undefined;
}

const memories = new Map<string, MemoryStore>();

/**
 * The store at a location. Nothing is read, made or loaded until the store is used.
 *
 * | location | store |
 * | --- | --- |
 * | `/data/lake`, `data/lake`, `file:///data/lake` | a folder |
 * | `s3://bucket`, `s3://bucket/prefix` | a bucket, or a part of it; `?endpoint=…`, `region=…` and `path-style=true` are as `options.s3` has them |
 * | `memory:name` | this process's memory: the same objects for the same name |
 * | `memory:` | this process's memory, with no objects in it |
 *
 * @throws ObjectStoreError `invalid-location` on anything else; `invalid-option`.
 */
export function openObjectStore(location: string, options: ObjectStoreOptions = {}): ObjectStore {
  if (typeof location !== "string" || location === "")
    throw new ObjectStoreError(
      "invalid-location",
      "a store's location is a path, or a URL: file:///…, s3://bucket/prefix",
    );
  if (location.includes("\0")) throw new ObjectStoreError("invalid-location", "a store's location has a NUL in it");
  // one letter is a drive's
  const scheme = /^([a-z][a-z0-9+.-]+):/i.exec(location)?.[1]?.toLowerCase();
  switch (scheme) {
    case undefined:
      return new FolderStore(location);
    case "file":
      return new FolderStore(pathOf(location));
    case "s3":
      return openS3(location, options.s3 ?? {});
    case "memory":
      return openMemory(location.slice("memory:".length));
    default:
      throw new ObjectStoreError(
        "invalid-location",
        `'${scheme}:' isn't a kind of store: give a path, file:///…, s3://bucket/prefix or memory:name`,
      );
  }
}

function openMemory(name: string): MemoryStore {
  if (name === "") return new MemoryStore(randomUUID());
  const store = memories.get(name) ?? new MemoryStore(name);
  memories.set(name, store);
  return store;
}

function pathOf(url: string): string {
  try {
    if (/^file:\/\//i.test(url)) return fileURLToPath(url);
  } catch {
    // the sentence below says as much
  }
  throw new ObjectStoreError("invalid-location", `${quoted(url)} isn't a folder's URL: write file:///folder`);
}

function openS3(location: string, options: S3Options): S3Store {
  const [, bucket = "", prefix = "", query = ""] = /^s3:\/\/([^/?]*)\/?([^?]*)\??(.*)$/is.exec(location) ?? [];
  // what is wrong isn't repeated: before an @ it would be a password
  if (!/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/.test(bucket))
    throw new ObjectStoreError(
      "invalid-location",
      "the location has no bucket's name: write s3://bucket/prefix, with 3 to 63 of a-z, 0-9, - and . as the bucket; credentials are no part of it",
    );
  const folder = prefix.replace(/\/$/, "");
  const fault = folder === "" ? undefined : keyFault(folder);
  if (fault !== undefined)
    throw new ObjectStoreError("invalid-location", `the prefix of ${quoted(`s3://${bucket}/${prefix}`)} ${fault}`);
  return new S3Store(bucket, folder, checkEndpoint({ ...parameters(new URLSearchParams(query)), ...options }));
}

function parameters(query: URLSearchParams): S3Options {
  const options: { endpoint?: string; region?: string; pathStyle?: boolean } = {};
  for (const [name, value] of query) {
    if (name === "endpoint" || name === "region") options[name] = value;
    else if (name === "path-style" && (value === "true" || value === "false")) options.pathStyle = value === "true";
    else
      throw new ObjectStoreError(
        "invalid-location",
        `${quoted(name)} isn't a parameter of an s3: location: there are endpoint, region and path-style (true or false)`,
      );
  }
  return options;
}

function checkEndpoint(options: S3Options): S3Options {
  if (options.endpoint === undefined) return options;
  const url = URL.canParse(options.endpoint) ? new URL(options.endpoint) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol) || url.username !== "" || url.password !== "")
    throw new ObjectStoreError(
      "invalid-location",
      "the endpoint isn't a URL of https: or http: without credentials in it",
    );
  return options;
}
