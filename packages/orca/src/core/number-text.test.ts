import { expect, it } from "vitest";
import { decimalNumber, wholeNumber } from "./number-text.ts";

it.each([
  ["0", 0],
  ["16", 16],
  ["007", 7],
  ["9007199254740991", Number.MAX_SAFE_INTEGER],
])("%s is a whole number", (text, number) => {
  expect(wholeNumber(text)).toBe(number);
  expect(decimalNumber(text)).toBe(number);
});

it.each([
  "",
  " ",
  " 1",
  "1 ",
  "1\n",
  "-1",
  "+1",
  "1e1",
  "0x10",
  "0b1",
  "1_000",
  "1,5",
  ".5",
  "5.",
  "1.2.3",
  "Infinity",
  "NaN",
  "٣",
])("'%s' is no number", (text) => {
  expect(wholeNumber(text)).toBeUndefined();
  expect(decimalNumber(text)).toBeUndefined();
});

it("what has decimals, or is more than a number holds exactly, is no whole number", () => {
  expect(decimalNumber("0.02")).toBe(0.02);
  expect(wholeNumber("1.0")).toBeUndefined();
  expect(wholeNumber("9007199254740992")).toBeUndefined();
});
