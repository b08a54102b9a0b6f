// What inference makes of steps that are written in other ways. Nothing here runs: the compiler is the test.
import { type Ctx, daily, type Day, gather, mapped, type MappedCtx, Month, monthly, pipeline } from "orcajs";
import type { Gather, Mapped, Pipeline } from "orcajs";
import { equal, type Equal } from "./equal.ts";

// a function with a name and a declared context, which has less than the step
async function load(ctx: MappedCtx<Month, "lake.raw">, _month: Month): Promise<number> {
  return (await ctx.scan("lake.raw").toArray()).length;
}
async function plus(_ctx: Ctx, n: number): Promise<number> {
  return n + 1;
}
const loaded = mapped("load", { reads: ["lake.raw", "lake.more"] }, load);
const added = mapped("add", { after: loaded }, plus);
equal<Equal<typeof loaded, Mapped<"load", Month, Month, number, never>>>();
equal<Equal<typeof added, Mapped<"add", Month, number, number, "load">>>();

// several first steps, two that follow one, and joins of mapped and gather steps
const one = mapped("one", async (_ctx, _m: Month) => 1);
const text = mapped("text", async (_ctx, _m: Month) => "x");
const joined = mapped("joined", { after: [one, text] }, async (ctx, [n, s]) => ({ n, s, p: ctx.partition }));
const count = gather("count", { after: one }, async (_ctx, ns) => ns.length);
const times = gather("times", { after: [count, joined] }, async (_ctx, [n, js]) => js.map((x) => x.n * n));
const last = gather("last", { after: [count, times] }, async (_ctx, [n, js]) => n + js.length);
equal<
  Equal<typeof joined, Mapped<"joined", Month, [number, string], { n: number; s: string; p: Month }, "one" | "text">>
>();
equal<
  Equal<
    typeof times,
    Gather<"times", Month, [number, { n: number; s: string; p: Month }[]], number[], "count" | "joined">
  >
>();
export const joins = pipeline("x", { steps: [one, text, joined, count, times, last], partitions: monthly("2024-01") });
equal<Equal<typeof joins, Pipeline<Month>>>();
// @ts-expect-error the wrong order
pipeline("x", { steps: [one, joined, text, count, times, last], partitions: monthly("2024-01") });

// what is known only at run time is checked then
const start: string = process.env["START"] ?? "2024-01";
const list = [one, text];
pipeline("x", { steps: list, partitions: monthly(start) });
pipeline("x", { steps: [one, ...list], partitions: monthly(start) });

// a function that makes steps
const named = <N extends string>(name: N) => mapped(name, async (_ctx, _m: Month) => name.length);
pipeline("x", { steps: [named("a"), named("b")], partitions: monthly(start) });
// @ts-expect-error two of one name
pipeline("x", { steps: [named("a"), named("a")], partitions: monthly(start) });

// partitions of either kind: the key may be of either
const either = start > "2" ? monthly("2024-01") : daily("2024-01-01");
const ofEither = pipeline("x", { steps: [mapped("k", async (_ctx, k: Month | Day) => k.length)], partitions: either });
equal<Equal<typeof ofEither, Pipeline<Month | Day>>>();
// @ts-expect-error days may be given to a step that takes months
pipeline("x", { steps: [one], partitions: either });

// recursive, optional and distinguished outputs
interface Tree {
  v: number;
  kids: Tree[];
}
const tree = mapped("tree", async (_ctx, _m: Month): Promise<Tree> => ({ v: 1, kids: [] }));
const kids = mapped("kids", { after: tree }, async (_ctx, t) => t.kids.map((k) => k.v));
equal<Equal<typeof kids, Mapped<"kids", Month, Tree, number[], "tree">>>();
type Tried = { ok: true; n: bigint } | { ok: false; why: string };
const tried = mapped("tried", async (_ctx, _m: Month): Promise<Tried> => ({ ok: false, why: "x" }));
export const told = mapped("told", { after: tried }, async (_ctx, r) => (r.ok ? r.n : r.why));
equal<Equal<typeof told, Mapped<"told", Month, Tried, string | bigint, "tried">>>();

// any is let through, also where it is inside: what it holds is checked at run time
const parsed = mapped("parsed", async (_ctx, _m: Month) => JSON.parse("1"));
export const anything = mapped("anything", { after: parsed }, async (_ctx, m) => m.foo);

// functions needn't be async
const length = mapped("length", (_ctx, m: Month) => m.length);
export const longer = mapped("longer", { after: length }, (_ctx, n) => n + 1);
equal<Equal<typeof longer, Mapped<"longer", Month, number, number, "length">>>();

// keys are strings: they are keys of objects, and compare among their own
export const byMonth: Record<Month, number> = { [Month("2024-01")]: 1 };
export const isEarlier: boolean = Month("2024-01") < Month("2024-02");
// @ts-expect-error a month is never a day
export const isSame: boolean = Month("2024-01") === ("x" as Day);
