import { describe, expect, it } from "vitest";
import { OrcaError } from "../errors.ts";
import type { Mistake } from "../mistake.ts";
import { parseCron } from "./cron-fields.ts";
import type { CronText } from "./cron-text.ts";
import { cron } from "./cron.ts";

/** The compiler holds `sentences` to what the type puts in place of `text`, and the test holds the run time to them. */
function refusal<const S extends string>(
  text: S,
  ...sentences: SentenceOf<CronText<NoInfer<S>>>[]
): [string, ...string[]] {
  return [text, ...sentences];
}
type SentenceOf<T> = T extends Mistake<infer Sentence> ? Sentence : never;

/** Doesn't compile unless the type accepts the text. */
function accepted<const S extends string>(text: CronText<S>): string {
  return text;
}

const REFUSED = [
  refusal("0 3 2 *", "'0 3 2 *' has 4 fields: cron takes 5 (minute hour day month weekday)"),
  refusal("0 24 2 * *", "'24' isn't a cron hour (0-23)"),
  refusal("61 3 2 * *", "'61' isn't a cron minute (0-59)"),
  refusal("0 3 0 * *", "'0' isn't a cron day of the month (1-31)"),
  refusal(
    "*/0 3 2 13 8",
    "'*/0' isn't a cron minute (0-59)",
    "'13' isn't a cron month (1-12 or jan-dec)",
    "'8' isn't a cron day of the week (0-7 or sun-sat)",
  ),
  refusal("0 3 2 * funday", "'funday' isn't a cron day of the week (0-7 or sun-sat)"),
  refusal("@dialy", "'@dialy' isn't a cron shorthand, such as @daily"),
  refusal("0 0 30 2 *", "there's no day 30 in month 2: it would never be due"),
  refusal("daily", "'daily' has 1 field: cron takes 5 (minute hour day month weekday)"),
  refusal("0 0 3 2 * *", "'0 0 3 2 * *' has 6 fields: cron takes 5 (minute hour day month weekday)"),
  refusal(" @dialy ", "'@dialy' isn't a cron shorthand, such as @daily"),
  refusal("@daily *", "'@daily *' has 2 fields: cron takes 5 (minute hour day month weekday)"),
  refusal("1,,2 3 2 * *", "'' isn't a cron minute (0-59)"),
  refusal("1, 3 2 * *", "'' isn't a cron minute (0-59)"),
  refusal("60,1,99 3 2 * *", "'60' isn't a cron minute (0-59)", "'99' isn't a cron minute (0-59)"),
  refusal("10-60/5 3 2 * *", "'10-60' isn't a cron minute (0-59)"),
  refusal("1-5-7 3 2 * *", "'1-5-7' isn't a cron minute (0-59)"),
  refusal("*-5 3 2 * *", "'*-5' isn't a cron minute (0-59)"),
  refusal("-5 3 2 * *", "'-5' isn't a cron minute (0-59)"),
  refusal("*/ 3 2 * *", "'*/' isn't a cron minute (0-59)"),
  refusal("*/1.5 3 2 * *", "'*/1.5' isn't a cron minute (0-59)"),
  refusal("*/2/3 3 2 * *", "'*/2/3' isn't a cron minute (0-59)"),
  refusal("*/90 * * * *", "'*/90' isn't a cron minute (0-59)"),
  refusal("005 3 2 * *", "'005' isn't a cron minute (0-59)"),
  refusal("? 3 2 * *", "'?' isn't a cron minute (0-59)"),
  refusal("5-sun 3 2 * *", "'5-sun' isn't a cron minute (0-59)"),
  refusal("0 */25 2 * *", "'*/25' isn't a cron hour (0-23)"),
  refusal("0 22-4 * * *", "'22-4' runs backwards: write the lower end first, or two ranges"),
  refusal("0 09-8/2 * * *", "'09-8' runs backwards: write the lower end first, or two ranges"),
  refusal("0 3 L * *", "'L' isn't a cron day of the month (1-31)"),
  refusal("0 3 2 */jan *", "'*/jan' isn't a cron month (1-12 or jan-dec)"),
  refusal("0 3 2 * 5#2", "'5#2' isn't a cron day of the week (0-7 or sun-sat)"),
  refusal("0 3 2 * 5-0", "'5-0' runs backwards: write the lower end first, or two ranges"),
  refusal("0 0 31 SEP *", "there's no day 31 in month SEP: it would never be due"),
  refusal("60 0 31 4 *", "'60' isn't a cron minute (0-59)", "there's no day 31 in month 4: it would never be due"),
] as const;

const ACCEPTED = [
  accepted("0,15,30 9-17/2 1-15,20 jan-mar,DEC Mon-Fri"),
  accepted("*/5 * * * *"),
  accepted("0 3  2 * *"),
  accepted(" \t05\t03 2\t\t* 7 "),
  accepted("@daily"),
  accepted(" @Weekly\t"),
  accepted("@YEARLY"),
  accepted("*/60 */24 */31 */12 */7"),
  accepted("5/10 * * * *"),
  accepted("0 0 * * sat-sun"),
  accepted("0 0 * * Fri-SUN/2"),
  accepted("0 0 * * sun-mon"),
  accepted("0 0 * * 5-7"),
  accepted("0 0 * 1-jan,jan-1 *"),
  accepted("09-10 08-09 8-09 9-10 *"),
  accepted("0 0 30 2 mon"),
  accepted("0 0 30,29 2 *"),
  accepted("0 0 31 */2 *"),
  accepted(
    "0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31,32,33,34,35,36,37,38,39,40,41,42,43,44,45,46,47,48,49,50,51,52,53,54,55,56,57,58,59 * * * *",
  ),
];

const NEVER = ["0 0 31 4,6 *", "0 0 30,31 feb *", "0 0 31 2,4-6/2,9 */2", "0 0 30-31 2 *", "* * 31 11 */7"];

function errorOf(make: () => unknown): OrcaError {
  try {
    make();
  } catch (error) {
    if (error instanceof OrcaError) return error;
    throw error;
  }
  throw new Error("nothing was thrown");
}

describe("a cron expression", () => {
  it.each(REFUSED)("%j is refused at run time in the compiler's words", (text, ...sentences) => {
    const error = errorOf(() => cron(text));
    expect(error.code).toBe("invalid-cron");
    expect(error.message).toBe(sentences.join("; "));
  });

  it.each(ACCEPTED)("%j is accepted by the compiler and at run time", (text) => {
    expect(cron(text)).toEqual({ cron: text, timeZone: "UTC" });
  });

  it.each(NEVER)("%j is refused, for it is never due", (text) => {
    const [, , day, month] = text.split(" ");
    const error = errorOf(() => cron(text));
    expect(error.message).toBe(`there's no day ${day} in month ${month}: it would never be due`);
  });

  it("that is empty has no fields", () => {
    const empty: string = "";
    expect(errorOf(() => cron(empty)).message).toBe("'' has 0 fields: cron takes 5 (minute hour day month weekday)");
  });

  it("that is a literal and wrong doesn't compile", () => {
    // @ts-expect-error: '24' isn't a cron hour (0-23)
    expect(() => cron("0 24 2 * *")).toThrow("'24' isn't a cron hour (0-23)");
  });

  it("of which a part is known only at run time compiles", () => {
    const hour: string = "24";
    expect(() => cron(`0 ${hour} * * *`)).toThrow("'24' isn't a cron hour (0-23)");
  });

  it("whose named range runs backwards is refused at run time, save that Sunday may end a week", () => {
    expect(() => cron("0 0 * mar-jan *")).toThrow("'mar-jan' runs backwards");
    expect(() => cron("0 0 * * sat-mon")).toThrow("'sat-mon' runs backwards");
    expect(parseCron("0 0 * * sat-sun").weekdays).toBe(0b1000001);
    expect(parseCron("0 0 * * sun-sat").weekdays).toBe(0b1111111);
  });

  it("has 7 and 0 both for Sunday", () => {
    expect(parseCron("0 0 * * 7")).toEqual(parseCron("0 0 * * 0"));
    expect(parseCron("0 0 * * 5-7").weekdays).toBe(0b1100001);
    expect(parseCron("0 0 * * 0-7").weekdays).toBe(0b1111111);
  });

  it("steps from a value to the field's end, and from a range's low end", () => {
    expect(parseCron("5/10 * * * *").minutes).toEqual(parseCron("5,15,25,35,45,55 * * * *").minutes);
    expect(parseCron("0 10-16/3 * * *").hours).toBe((1 << 10) | (1 << 13) | (1 << 16));
    expect(parseCron("0 0 * * 5/1").weekdays).toBe(0b1100000);
  });

  it.each([
    ["@yearly", "0 0 1 1 *"],
    ["@annually", "0 0 1 1 *"],
    ["@monthly", "0 0 1 * *"],
    ["@weekly", "0 0 * * 0"],
    ["@daily", "0 0 * * *"],
    ["@midnight", "0 0 * * *"],
    ["@hourly", "0 * * * *"],
  ])("%s is %s", (shorthand, five) => {
    expect(parseCron(shorthand)).toEqual(parseCron(five));
  });

  it("is by elapsed time if its minute or hour starts with a *", () => {
    const elapsed = ["* 3 * * *", "*/15 1 * * *", "0 * * * *", "0 */2 * * *", "30 *,1 * * *", "@hourly"];
    const fixed = ["0 3 * * *", "0-59 0-23 * * *", "5/10 3 * * *", "0,*/15 3 * * *", "@daily"];
    for (const text of elapsed) expect(parseCron(text).isElapsed, text).toBe(true);
    for (const text of fixed) expect(parseCron(text).isElapsed, text).toBe(false);
  });
});

describe("a schedule's time zone", () => {
  it("is UTC by default, and is kept as it was written", () => {
    expect(cron("@daily")).toEqual({ cron: "@daily", timeZone: "UTC" });
    for (const timeZone of ["Asia/Kolkata", "Asia/Calcutta", "US/Eastern", "europe/london", "EST", "Etc/UTC", "+05:30"])
      expect(cron("@daily", timeZone).timeZone).toBe(timeZone);
  });

  it.each(["Mars/Base", "", "London", "BST", "pst", "Europe/London ", "UTC+2"])("can't be %j", (timeZone) => {
    const error = errorOf(() => cron("@daily", timeZone));
    expect(error.code).toBe("invalid-cron");
    expect(error.message).toBe(`'${timeZone}' isn't a time zone: write an IANA name such as Europe/London`);
  });
});
