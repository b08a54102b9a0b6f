/** Numbers as people type them: in digits. `Number` takes `1e1`, `0x10` and nothing at all for numbers too. */

/** A whole number without a sign, or undefined if a text is none, or one that a number doesn't hold exactly. */
export function wholeNumber(text: string): number | undefined {
  const number = /^\d+$/.test(text) ? Number(text) : NaN;
  return Number.isSafeInteger(number) ? number : undefined;
}

/** A number without a sign, perhaps with decimals after a point, or undefined if a text is none. */
export function decimalNumber(text: string): number | undefined {
  return /^\d+(\.\d+)?$/.test(text) ? Number(text) : undefined;
}
