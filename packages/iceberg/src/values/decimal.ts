/** Decimals: unscaled bigints, and texts as people write them. */
import { integerBytes } from "./bytes.ts";

/** `-14.20` for -1420n with the scale 2. */
export function decimalText(unscaled: bigint, scale: number): string {
  const digits = String(unscaled < 0n ? -unscaled : unscaled).padStart(scale + 1, "0");
  const point = digits.length - scale;
  return `${unscaled < 0n ? "-" : ""}${digits.slice(0, point)}${scale > 0 ? `.${digits.slice(point)}` : ""}`;
}

/** The unscaled value of `14.2`, `-3` or `2E+20`; undefined if it isn't a decimal, or has more digits after the point than the scale. */
export function parseDecimal(text: string, scale: number): bigint | undefined {
  const match = /^([+-]?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d{1,3}))?$/.exec(text);
  if (!match) return undefined;
  const [, sign, whole, fraction = "", exponent = "0"] = match;
  const digits = BigInt(`${whole}${fraction}`);
  const shift = scale + Number(exponent) - fraction.length;
  const divisor = 10n ** BigInt(Math.max(0, -shift));
  if (digits % divisor !== 0n) return undefined;
  const unscaled = (digits / divisor) * 10n ** BigInt(Math.max(0, shift));
  return sign === "-" ? -unscaled : unscaled;
}

/** Whether an unscaled value has at most `precision` digits. */
export function fitsPrecision(unscaled: bigint, precision: number): boolean {
  return (unscaled < 0n ? -unscaled : unscaled) < 10n ** BigInt(precision);
}

/** The fewest bytes that hold every unscaled value of a precision. */
export function decimalLength(precision: number): number {
  return integerBytes(10n ** BigInt(precision) - 1n).length;
}
