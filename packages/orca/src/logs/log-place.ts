/** Where the logs of attempts are: in a folder, or in a bucket, for which they are written into a folder first. */
import { createHash } from "node:crypto";
import { tmpdir } from "node:os";
import { join, relative, resolve, sep } from "node:path";

export interface LogPlace {
  /** The folder that logs are written into, as an absolute path. */
  readonly folder: string;
  /** The bucket that they are uploaded to, as `@orcajs/objectstore` takes it: `s3://bucket/prefix`, with parameters. */
  readonly bucket: string | undefined;
}

/**
 * @param logs a folder, or `s3://bucket/prefix`.
 * @param stage the folder for what is to be uploaded. Each bucket has one of its own in it. Default: one of the user's own among the system's temporary files.
 */
export function logPlace(logs: string, stage: string | undefined): LogPlace {
  if (!isInBucket(logs)) return { folder: resolve(logs), bucket: undefined };
  const hash = createHash("sha256").update(logs).digest("hex").slice(0, 16);
  const staged = stage ?? join(tmpdir(), `orca-${process.getuid?.() ?? ""}`, "logs");
  return { folder: resolve(staged, hash), bucket: logs };
}

/** Whether logs, or one of them, are in object storage. */
export function isInBucket(location: string): boolean {
  return /^s3:\/\//i.test(location);
}

/** Where a log that is written to a file is in the end: what is recorded with its attempt. */
export function locationOfFile({ folder, bucket }: LogPlace, file: string): string {
  return bucket === undefined ? file : `${rootOf(bucket)}/${keyOfFile(folder, file)}`;
}

/** The file that the log of a location is written to. */
export function fileOfLocation({ folder, bucket }: LogPlace, location: string): string {
  return bucket === undefined ? location : join(folder, location.slice(rootOf(bucket).length + 1));
}

/** The key of a staged file's object. */
export function keyOfFile(folder: string, file: string): string {
  return relative(folder, file).split(sep).join("/");
}

/** `s3://bucket/prefix`, without parameters and a slash at its end. */
export function rootOf(bucket: string): string {
  return bucket.replace(/\?.*$/s, "").replace(/\/+$/, "");
}
