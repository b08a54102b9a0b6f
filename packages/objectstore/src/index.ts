/** One interface over objects in a folder, in S3 and in memory, with conditional writes. */
export { OBJECT_STORE_ERRORS, ObjectStoreError, type ObjectStoreErrorCode } from "./errors.ts";
export type {
  Abortable,
  ByteRange,
  ListOptions,
  ObjectBody,
  ObjectBytes,
  ObjectInfo,
  ObjectStore,
  ObjectStream,
  PutCondition,
  PutOptions,
  ReadOptions,
} from "./object-store.ts";
export { type ObjectStoreOptions, openObjectStore } from "./open.ts";
export type { S3Credentials, S3Options } from "./s3/options.ts";
