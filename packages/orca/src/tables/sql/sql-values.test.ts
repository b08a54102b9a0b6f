import { describe, expect, it } from "vitest";
import type { Month } from "../../core/keys/month.ts";
import { sql } from "../../core/sql/fragment.ts";
import { mapped } from "../../core/step.ts";
import { attempt, raw, refused } from "../warehouse/test-tables.fixture.ts";

const step = mapped("s", async (_ctx, _month: Month) => 1);

describe("SQL", () => {
  it("takes plain values, lists of them, and pieces with names", async () => {
    const ctx = attempt();
    const at = new Date(86_400_000.5);
    const query = ctx.sql`select ${"x"} as a, ${1.5} as b, ${2n ** 40n} as c, ${true} as d, ${null} as e, ${at} as f,
      ${new Uint8Array([1, 2])} as g, ${[1, 2]}::int[] as h, ${sql`1 + ${1n}`} as i, date ${sql.join([sql`'2024-01-31'`])} as ${sql.id('a "b"')}`;
    expect(await query.toArray()).toEqual([
      {
        a: "x",
        b: 1.5,
        c: 2n ** 40n,
        d: true,
        e: null,
        f: "1970-01-02T00:00:00.000000Z",
        g: new Uint8Array([1, 2]),
        h: [1, 2],
        i: 2n,
        'a "b"': "2024-01-31",
      },
    ]);
  });

  it("takes lists of values of one kind, none of them, and those with null among them", async () => {
    const ctx = attempt();
    const none: string[] = [];
    const query = ctx.sql`select ${[1, 2.5]} as a, ${[null, "x"]} as b, ${[1n, 2n ** 40n]} as c, ${[]}::varchar[] as d,
      'x' in ${["x"]} as e, 'x' in ${none} as f, 'x' = any(${none}) as g, list_concat(${none}, ${["x"]}) as h`;
    expect(await query.toArray()).toEqual([
      { a: [1, 2.5], b: [null, "x"], c: [1n, 2n ** 40n], d: [], e: true, f: false, g: false, h: ["x"] },
    ]);
  });

  it("takes numbers of any size, and bigints that a column of SQL's holds", async () => {
    const ctx = attempt();
    const [most, least] = [2n ** 127n - 1n, -(2n ** 127n)];
    const numbers = [1e300, -(2 ** 53), Number.MAX_SAFE_INTEGER, Infinity] as const;
    const query = ctx.sql`select ${numbers} as a, ${1e300} as b, ${most} as c, ${least} as d`;
    expect(await query.toArray()).toEqual([{ a: numbers, b: 1e300, c: most, d: least }]);
  });

  const refusals: readonly (readonly [unknown, string])[] = [
    [undefined, "SQL takes no undefined: write null"],
    [() => 1, "SQL takes no function"],
    [Symbol("x"), "SQL takes no symbol"],
    [{ a: 1 }, "SQL takes no object"],
    [new Map(), "SQL takes no object"],
    [[[1]], "SQL takes lists of plain values only"],
    [[undefined], "SQL takes lists of plain values only"],
    [[sql`1`], "SQL takes lists of plain values only"],
    [Promise.resolve(1), "SQL takes no promise: await it"],
    [{ then: () => 1 }, "SQL takes no promise: await it"],
    [2n ** 127n, "SQL takes integers of at most 128 bits"],
    [[1n, -(2n ** 127n) - 1n], "SQL takes integers of at most 128 bits"],
    [new Date(NaN), "SQL takes no invalid Date"],
    [raw, "SQL takes a scan of a dataset: ctx.scan(…)"],
    [step, "SQL takes no step or task, and 's' is one"],
  ];
  it.each(refusals)("refuses %o", (value, message) => {
    const ctx = attempt();
    const misfit = refused("sql-misfit", message);
    const given = value as never;
    expect(() => ctx.sql`select ${given}`).toThrow(misfit);
    // also where it is in a piece of SQL, which has no context to refuse it
    expect(() => ctx.sql`select ${sql.join([sql`(${given})`])}`).toThrow(misfit);
  });
});
