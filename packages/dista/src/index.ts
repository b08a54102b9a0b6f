/** Typed distributed tasks: functions that any worker can run, on values that any process can store. */
export { decode } from "./decode.ts";
export { encode, encodedArray } from "./encode.ts";
export { DISTA_ERRORS, DistaError, type DistaErrorCode } from "./errors.ts";
export type { Storable } from "./storable.ts";
export { task, type Awaitable, type Ref, type RefArgs, type Task } from "./task.ts";
