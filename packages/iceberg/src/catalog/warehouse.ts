/** Where a catalog or a table is, as people write it, and as the URIs of files begin. */
import { randomUUID } from "node:crypto";
import path from "node:path";
import { fileURLToPath } from "node:url";
import type { ObjectStoreOptions, S3Options } from "@orcajs/objectstore";
import { IcebergError } from "../errors.ts";

export interface Warehouse {
  /** Without a slash at its end. */
  readonly uri: string;
  /** What the location's query says, and the options given beside it. */
  readonly options: ObjectStoreOptions;
}

/**
 * A path, a `file:` URL, `s3://bucket/prefix?endpoint=…` or `memory:name`.
 * @throws IcebergError `unsupported` on anything else.
 */
export function warehouseOf(location: string, options: ObjectStoreOptions = {}): Warehouse {
  if (typeof location !== "string" || location === "" || location.includes("\0")) throw unsupported(String(location));
  const scheme = /^([a-z][a-z0-9+.-]+):/i.exec(location)?.[1]?.toLowerCase();
  switch (scheme) {
    case undefined:
      return { uri: trimmed(path.resolve(location)), options };
    case "file":
      // people write URLs, but the URIs of files have paths as they are
      return { uri: `file://${trimmed(pathOf(location))}`, options };
    case "memory":
      return { uri: trimmed(location === "memory:" ? `memory:${randomUUID()}` : location), options };
    case "s3":
    case "s3a":
    case "s3n": {
      const [uri = "", query = ""] = location.split("?", 2);
      if (!/^s3[an]?:\/\/[^/]+/i.test(uri)) throw unsupported(location);
      return { uri: trimmed(uri), options: { ...options, s3: { ...parameters(query), ...options.s3 } } };
    }
    default:
      throw unsupported(location);
  }
}

function parameters(query: string): S3Options {
  const { endpoint, region, "path-style": pathStyle, ...others } = Object.fromEntries(new URLSearchParams(query));
  const [unknown] = Object.keys(others);
  if (unknown !== undefined || (pathStyle !== undefined && !/^(true|false)$/.test(pathStyle)))
    throw new IcebergError(
      "unsupported",
      `${unknown ?? "path-style"} isn't a parameter of an s3: location: there are endpoint, region and path-style (true or false)`,
    );
  return {
    ...(endpoint !== undefined && { endpoint }),
    ...(region !== undefined && { region }),
    ...(pathStyle !== undefined && { pathStyle: pathStyle === "true" }),
  };
}

function pathOf(url: string): string {
  try {
    return fileURLToPath(url.replace(/^file:\/*(?:localhost(?=\/))?\/*/i, "file:///"));
  } catch {
    throw unsupported(url);
  }
}

function trimmed(uri: string): string {
  return uri.replace(/(?<=.)\/+$/, "");
}

function unsupported(location: string): IcebergError {
  const shown = JSON.stringify(location.replace(/\/\/[^/@]*@/, "//…@").slice(0, 200));
  return new IcebergError(
    "unsupported",
    `${shown} isn't a place for tables: give a path, file:///…, s3://bucket/prefix or memory:name; for a catalog, rest+https://… too`,
  );
}
