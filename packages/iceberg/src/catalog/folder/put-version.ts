import { type Abortable, ObjectStoreError } from "@orcajs/objectstore";
import { IcebergError } from "../../errors.ts";
import type { TableFiles } from "../../files/table-files.ts";
import type { TableMetadata } from "../../metadata/table-metadata.ts";
import { metadataBytes, orNothing } from "../metadata-file.ts";

/** After these errors of a put it may have been applied. */
const MAY_BE_APPLIED: ReadonlySet<string> = new Set(["outcome-unknown", "unreachable"]);

/**
 * Writes a metadata file that isn't there yet, and gives its etag; nothing if another was faster. It isn't aborted once it has begun: its outcome
 * would not be known. Whatever the store answers, the file that is there tells whose it is: no file is ever written over.
 *
 * @throws IcebergError `commit-unknown`; ObjectStoreError if nothing was written.
 */
export async function putVersion(
  files: TableFiles,
  uri: string,
  metadata: TableMetadata,
  { signal }: Abortable = {},
): Promise<string | undefined> {
  const { store, key } = files.objectAt(uri);
  const bytes = await metadataBytes(metadata, uri);
  signal?.throwIfAborted();
  try {
    return (await store.put(key, bytes, { ifAbsent: true })).etag;
  } catch (error) {
    if (!(error instanceof ObjectStoreError)) throw error;
    const there = await orNothing(store.get(key)).catch((cause: unknown) => {
      throw unknown(uri, cause);
    });
    if (there !== undefined) return Buffer.compare(there.bytes, bytes) === 0 ? there.etag : undefined;
    if (error.code === "conflict") return undefined; // it was there, and has been deleted since
    throw MAY_BE_APPLIED.has(error.code) ? unknown(uri, error) : error;
  }
}

function unknown(uri: string, cause: unknown): IcebergError {
  return new IcebergError(
    "commit-unknown",
    `whether ${uri} was written can't be found out: load the table again to see whether the commit was applied, and leave its files`,
    { cause },
  );
}
