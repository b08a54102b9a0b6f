import type { ObjectInfo } from "../object-store.ts";
import type { Bucket } from "./client.ts";
import { withRetries } from "./retry.ts";
import { statusOf } from "./s3-error.ts";

/** An object with the metadata that its writer gave it; nothing if there is none. */
export async function headObject(
  bucket: Bucket,
  key: string,
  path: string,
  signal: AbortSignal | undefined,
): Promise<{ readonly info: ObjectInfo; readonly metadata: Readonly<Record<string, string>> } | undefined> {
  const { sdk, client } = await bucket.connect();
  try {
    const reply = await withRetries(bucket.retry, signal, () =>
      client.send(new sdk.HeadObjectCommand({ Bucket: bucket.name, Key: path }), signal && { abortSignal: signal }),
    );
    const { ETag: etag = "", ContentLength: size = 0, LastModified: lastModified = new Date(0) } = reply;
    return { info: { key, etag, size, lastModified }, metadata: reply.Metadata ?? {} };
  } catch (error) {
    if (statusOf(error) === 404) return undefined;
    throw error;
  }
}
