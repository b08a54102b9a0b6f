import { type Condition, conditionFails } from "../condition.ts";
import { ObjectStoreError } from "../errors.ts";
import { quoted } from "../key.ts";
import type { Bucket } from "./client.ts";
import { headObject } from "./head.ts";
import { withRetries } from "./retry.ts";
import { isRefusal, nameOf, statusOf } from "./s3-error.ts";

/** A put, as all its attempts have in common. */
export interface Put {
  readonly key: string;
  /** The key within the bucket. */
  readonly path: string;
  readonly condition: Condition | undefined;
  /** Drawn for this put alone: what an object was written by it carries. */
  readonly token: string;
  readonly contentType: string | undefined;
  readonly signal: AbortSignal | undefined;
}

const TOKEN = "put-token";
const CONDITION = "put-condition";

/** The metadata by which `settled` finds out who wrote an object, and over what. */
export function marks({ token, condition }: Put): Record<string, string> {
  return { [TOKEN]: token, ...(condition !== undefined && { [CONDITION]: textOf(condition) }) };
}

/** The headers of a put's condition. */
export function conditionHeaders({ condition }: Put): { readonly IfNoneMatch?: string; readonly IfMatch?: string } {
  if (condition === undefined) return {};
  return condition === "absent" ? { IfNoneMatch: "*" } : { IfMatch: condition.etag };
}

/**
 * Sends a put until its outcome is known. After an attempt whose reply was lost, a condition that doesn't hold may be the deed of that attempt: the
 * object there tells by its token.
 */
export async function settled(
  bucket: Bucket,
  put: Put,
  send: () => Promise<{ readonly ETag?: string | undefined }>,
): Promise<{ readonly etag: string }> {
  let mayBeApplied = false;
  let isContended = false;
  return await withRetries(bucket.retry, put.signal, async () => {
    try {
      return { etag: (await send()).ETag ?? "" };
    } catch (error) {
      const isOver = nameOf(error) === "NoSuchUpload";
      if (mayBeApplied && (isUnmet(error, put) || isOver)) return await outcome(bucket, put, error);
      // S3 may end an upload that met another write
      if (put.condition !== undefined && (isUnmet(error, put) || (isContended && isOver)))
        throw conditionFails(bucket.location, put.key, put.condition, { cause: error });
      mayBeApplied ||= !isRefusal(error);
      isContended ||= statusOf(error) === 409;
      throw error;
    }
  });
}

async function outcome(bucket: Bucket, put: Put, cause: unknown): Promise<{ readonly etag: string }> {
  const there = await headObject(bucket, put.key, put.path, put.signal);
  if (there?.metadata[TOKEN] === put.token) return { etag: there.info.etag };
  // only one put can have met the same condition, and it wasn't this one
  if (put.condition !== undefined && there?.metadata[CONDITION] === textOf(put.condition))
    throw conditionFails(bucket.location, put.key, put.condition, { cause });
  throw new ObjectStoreError(
    "outcome-unknown",
    `the reply to a put of ${quoted(put.key)} in ${bucket.location} was lost, and another write has followed: read the object to see whether this one was applied before it`,
    { cause },
  );
}

/** S3 answers 404 to `If-Match` where there is no object. */
function isUnmet(error: unknown, { condition }: Put): boolean {
  if (condition === undefined) return false;
  return statusOf(error) === 412 || (condition !== "absent" && nameOf(error) === "NoSuchKey");
}

function textOf(condition: Condition): string {
  return condition === "absent" ? condition : condition.etag;
}
