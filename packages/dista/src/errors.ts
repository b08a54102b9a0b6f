/** Every error of this package: what each code means. */
export const DISTA_ERRORS = {
  "not-storable": "a value is of a kind that can't be stored, or too much",
  "not-encoded": "a text isn't what `encode` writes",
  "invalid-task": "a task's declaration breaks a rule",
} as const;

/** What can go wrong in this package; match on the code, never on the message. */
export type DistaErrorCode = keyof typeof DISTA_ERRORS;

/** An error of this package. Its message is a sentence for a person. */
export class DistaError extends Error {
  override readonly name = "DistaError";
  readonly code: DistaErrorCode;

  constructor(code: DistaErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}
