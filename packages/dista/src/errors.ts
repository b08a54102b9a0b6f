/** What can go wrong in this package; match on the code, never on the message. */
export type DistaErrorCode =
  /** A value is of a kind that can't be stored. */
  | "not-storable"
  /** A text isn't what `encode` writes. */
  | "not-encoded"
  /** A task's declaration breaks a rule. */
  | "invalid-task";

/** An error of this package. Its message is a sentence for a person. */
export class DistaError extends Error {
  override readonly name = "DistaError";
  readonly code: DistaErrorCode;

  constructor(code: DistaErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}
