declare const mistake: unique symbol;

/**
 * What a mistaken text's type is replaced by, so that the compiler says why: no text is one. It isn't the sentence itself, since an editor
 * offers literal types to complete the text with. Values that aren't text are replaced by the sentence itself: it reads better.
 */
export interface Mistake<Sentence extends string> {
  readonly [mistake]: Sentence;
}
