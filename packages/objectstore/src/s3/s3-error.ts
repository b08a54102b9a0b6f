import { ObjectStoreError } from "../errors.ts";
import { quoted } from "../key.ts";
import type { Bucket } from "./client.ts";

/** What is thrown when a connection breaks off within a body. */
export class BrokenBody extends Error {
  override readonly name = "BrokenBody";
}

const PASSING_NAMES: ReadonlySet<string> = new Set([
  "BrokenBody",
  "TimeoutError",
  "RequestTimeout",
  "RequestTimeTooSkewed",
  "ConditionalRequestConflict",
  "OperationAborted",
]);

const NETWORK_CODES: ReadonlySet<string> = new Set([
  "ECONNRESET",
  "ECONNREFUSED",
  "ECONNABORTED",
  "EPIPE",
  "ETIMEDOUT",
  "EHOSTUNREACH",
  "ENETUNREACH",
  "ENOTFOUND",
  "EAI_AGAIN",
  "ERR_STREAM_PREMATURE_CLOSE",
]);

/** The HTTP status of a reply that was an error; nothing for what was no reply. */
export function statusOf(error: unknown): number | undefined {
  return (error as { $metadata?: { httpStatusCode?: number } } | null)?.$metadata?.httpStatusCode;
}

/** S3's name of an error (`NoSuchKey`), or JavaScript's. */
export function nameOf(error: unknown): string {
  return error instanceof Error ? error.name : "";
}

/** Whether the same request may succeed a little later. */
export function isPassing(error: unknown): boolean {
  const status = statusOf(error);
  if (status !== undefined && (status >= 500 || status === 429 || status === 408)) return true;
  return PASSING_NAMES.has(nameOf(error)) || NETWORK_CODES.has((error as NodeJS.ErrnoException | null)?.code ?? "");
}

/** Whether S3 has said that it did nothing: any other failure may have come after the deed. */
export function isRefusal(error: unknown): boolean {
  const status = statusOf(error);
  return status !== undefined && status >= 400 && status < 500 && status !== 408;
}

/** What the SDK's error is for who uses the store; errors of ours and what a signal was aborted with stay as they are. */
export function s3Error(error: unknown, { location, retry }: Bucket, verb: string, key: string): unknown {
  if (error instanceof ObjectStoreError || !(error instanceof Error) || error.name === "AbortError") return error;
  const options = { cause: error };
  const what = `can't ${verb} ${quoted(key)} in ${location}`;
  const status = statusOf(error);
  if (error.name === "NoSuchBucket")
    return new ObjectStoreError("invalid-location", `${what}: there is no such bucket`, options);
  if (error.name === "KeyTooLongError")
    return new ObjectStoreError(
      "invalid-key",
      `${what}: with the store's prefix the key has more than 1024 bytes`,
      options,
    );
  if (/Credentials|TokenProvider/.test(error.name))
    return new ObjectStoreError(
      "access-denied",
      `${what}: no credentials were found; set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or AWS_PROFILE`,
      options,
    );
  if (status === 401 || status === 403)
    return new ObjectStoreError(
      "access-denied",
      `${what}: the store refuses these credentials (${error.name})`,
      options,
    );
  if (isPassing(error))
    return new ObjectStoreError(
      "unreachable",
      `${what}: tried ${retry.attempts} times, at last ${status === undefined ? error.message || error.name : `the store answered ${status} (${error.name})`}`,
      options,
    );
  return new ObjectStoreError("failed", `${what}: ${error.name}: ${error.message}`, options);
}
