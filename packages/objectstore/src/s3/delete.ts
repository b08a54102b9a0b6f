import type { Bucket } from "./client.ts";
import { withRetries } from "./retry.ts";
import { isPassing } from "./s3-error.ts";

/** What S3 says of one object among many that it didn't delete. */
export class NotDeleted extends Error {
  /** The object's key within the bucket. */
  readonly path: string;
  readonly $metadata: { readonly httpStatusCode: number };

  constructor(path: string, code: string, message: string) {
    super(message);
    this.path = path;
    this.name = code;
    this.$metadata = { httpStatusCode: STATUS_OF[code] ?? 400 };
  }
}

/** The codes that S3 gives within a reply of 200, by the status that they have alone. */
const STATUS_OF: Readonly<Record<string, number>> = {
  AccessDenied: 403,
  InternalError: 500,
  SlowDown: 503,
  ServiceUnavailable: 503,
};

/** Deletes an object, if it is there. */
export async function deleteObject(bucket: Bucket, path: string, signal: AbortSignal | undefined): Promise<void> {
  const { sdk, client } = await bucket.connect();
  await withRetries(bucket.retry, signal, () =>
    client.send(new sdk.DeleteObjectCommand({ Bucket: bucket.name, Key: path }), signal && { abortSignal: signal }),
  );
}

/** Deletes up to 1,000 objects in one request. @throws NotDeleted for the first that S3 didn't delete. */
export async function deleteObjects(
  bucket: Bucket,
  paths: readonly string[],
  signal: AbortSignal | undefined,
): Promise<void> {
  const { sdk, client } = await bucket.connect();
  const input = { Bucket: bucket.name, Delete: { Objects: paths.map((Key) => ({ Key })), Quiet: true } };
  await withRetries(bucket.retry, signal, async () => {
    const { Errors = [] } = await client.send(new sdk.DeleteObjectsCommand(input), signal && { abortSignal: signal });
    const failures = Errors.map(({ Code = "", Key = "", Message = "" }) => new NotDeleted(Key, Code, Message));
    const worst = failures.find((failure) => isPassing(failure)) ?? failures[0];
    if (worst !== undefined) throw worst;
  });
}
