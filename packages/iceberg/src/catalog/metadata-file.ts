/** Metadata files: JSON, or JSON that gzip has compressed. */
import { promisify } from "node:util";
import { gunzip, gzip } from "node:zlib";
import { type Abortable, ObjectStoreError } from "@orcajs/objectstore";
import { IcebergError } from "../errors.ts";
import type { TableFiles } from "../files/table-files.ts";
import { parseMetadata } from "../metadata/parse.ts";
import { metadataText } from "../metadata/serialise.ts";
import type { TableMetadata } from "../metadata/table-metadata.ts";

export interface MetadataFile {
  readonly metadata: TableMetadata;
  /** Names these contents. */
  readonly etag: string;
}

/** More than this isn't unpacked: no metadata is so large, and a few bytes may unpack to terabytes. */
const UNPACKED_BYTES_MAX = 2 ** 30;

/**
 * A metadata file; nothing if there is none.
 * @throws IcebergError `invalid-metadata` and `unsupported`, with the file's URI.
 */
export async function readMetadataFile(
  files: TableFiles,
  uri: string,
  options: Abortable = {},
): Promise<MetadataFile | undefined> {
  const { store, key } = files.objectAt(uri);
  const object = await orNothing(store.get(key, options));
  if (object === undefined) return undefined;
  try {
    return { metadata: parseMetadata(await metadataTextOf(object.bytes)), etag: object.etag };
  } catch (error) {
    if (!(error instanceof IcebergError)) throw error;
    throw new IcebergError(error.code, `${uri}: ${error.message}`, { cause: error });
  }
}

/** The bytes of a metadata file: compressed, if its name says so. */
export async function metadataBytes(metadata: TableMetadata, uri: string): Promise<Uint8Array> {
  const bytes = Buffer.from(metadataText(metadata));
  return uri.includes(".gz") ? await promisify(gzip)(bytes) : bytes;
}

/** What a promise gives; nothing where the object isn't there. */
export async function orNothing<T>(found: Promise<T>): Promise<T | undefined> {
  try {
    return await found;
  } catch (error) {
    if (error instanceof ObjectStoreError && error.code === "not-found") return undefined;
    throw error;
  }
}

/** The text of a metadata file, unpacked by the contents, not by the name: some writers compress without a name that says so. */
export async function metadataTextOf(bytes: Uint8Array): Promise<string> {
  if (bytes[0] !== 0x1f || bytes[1] !== 0x8b) return new TextDecoder().decode(bytes);
  try {
    return (await promisify(gunzip)(bytes, { maxOutputLength: UNPACKED_BYTES_MAX })).toString();
  } catch (cause) {
    throw new IcebergError(
      "invalid-metadata",
      `the compressed metadata is corrupt or cut off: ${(cause as Error).message}`,
      {
        cause,
      },
    );
  }
}
