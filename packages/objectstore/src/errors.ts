/** Every error of this package: what each code means. */
export const OBJECT_STORE_ERRORS = {
  "not-found": "there is no object of that key",
  conflict: "a put's condition doesn't hold, and nothing was written",
  "outcome-unknown": "the reply to a conditional put was lost, and it can't be told whether the put was applied",
  "access-denied": "the store refuses the credentials, or there are none",
  unreachable: "the store doesn't answer, after several tries",
  "invalid-location": "a text isn't the location of a store, or there is no bucket of that name",
  "invalid-key": "a text can't be an object's key in this store",
  "invalid-range": "a range of bytes is empty, or begins beyond the object's end",
  "invalid-option": "options exclude each other, or have a value that they don't take",
  "invalid-body": "what is to be written isn't bytes or text, or is more than the store takes",
  failed: "the store or the disk answered with an error of its own, which is the cause",
} as const;

/** What can go wrong in this package; match on the code, never on the message. */
export type ObjectStoreErrorCode = keyof typeof OBJECT_STORE_ERRORS;

/** An error of this package. Its message is a sentence for a person, and has no credentials in it. */
export class ObjectStoreError extends Error {
  override readonly name = "ObjectStoreError";
  readonly code: ObjectStoreErrorCode;

  constructor(code: ObjectStoreErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}
