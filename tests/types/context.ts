// What a step's context gives, and which contexts stand for which, exactly. Nothing here runs: the compiler is the test.
import type { FileOfSpec } from "@orcajs/iceberg";
import { sql, task, type NewFile } from "orcajs";
import type {
  Ctx,
  Day,
  GatherCtx,
  MappedCtx,
  Ref,
  Relation,
  Scan,
  Snapshot,
  Sql,
  StepCtx,
  Table,
  TableFile,
} from "orcajs";
import { clean, raw } from "../../examples/lake.ts";
import { equal, type Equal } from "./equal.ts";

const add = task("add", async (a: number, b: number) => a + b);
equal<Equal<Ctx<typeof raw | "x", typeof clean>, StepCtx<"lake.raw" | "x", "lake.clean">>>();
equal<Equal<Ctx<"lake.raw">, Ctx<typeof raw>>>();

export async function members(ctx: MappedCtx<Day, "lake.raw" | "lake.x", "lake.clean", typeof add>): Promise<void> {
  const scan = ctx.scan(raw);
  const byName = ctx.scan("lake.x");
  const narrow = scan.columns("id", "day");
  const some = ctx.scan(raw, { where: { day: ctx.partition } });
  const untyped = ctx.sql`select 1`;
  const counted = ctx.sql<{ n: bigint }>`select 1`;
  const piece = sql`x`;
  equal<Equal<typeof scan, Scan<{ id: bigint; day: Day; value: number | null }>>>();
  equal<Equal<typeof byName, Scan>>();
  equal<Equal<typeof some, typeof scan>>();
  equal<Equal<typeof narrow, Scan<{ id: bigint; day: Day }>>>();
  equal<Equal<typeof untyped, Relation>>();
  equal<Equal<typeof counted, Relation<{ n: bigint }>>>();
  equal<Equal<typeof piece, Sql>>();
  for await (const row of scan) equal<Equal<typeof row, { id: bigint; day: Day; value: number | null }>>();
  const appended = ctx.append(clean, [{ id: 1, day: ctx.partition, value: 1 }]);
  const overwritten = ctx.overwrite(clean, [], { where: { day: ctx.partition } });
  const committed = ctx.commit(clean, { operation: "append", add: [] });
  const files = scan.files();
  const table = ctx.table(raw);
  const sum = ctx.remote(add, 1, ctx.remote(add, 1, 2));
  equal<Equal<typeof appended, Promise<Snapshot>>>();
  equal<Equal<typeof overwritten, Promise<Snapshot>>>();
  equal<Equal<typeof committed, Promise<Snapshot>>>();
  equal<Equal<typeof files, Promise<readonly TableFile[]>>>();
  equal<Equal<typeof table, Promise<Table>>>();
  equal<Equal<typeof sum, Ref<number>>>();
  equal<Equal<typeof ctx.partition, Day>>();
  equal<Equal<typeof ctx.signal, AbortSignal>>();
}

/** A context stands for one that has less, and a scan for the relation of a narrower row. */
export function narrower(ctx: MappedCtx<Day, "lake.raw" | "lake.x", "lake.clean", typeof add>): readonly unknown[] {
  const ids: Relation<{ id: bigint }> = ctx.scan(raw);
  const reads: Ctx<typeof raw> = ctx;
  const writes: Ctx<never, "lake.clean"> = ctx;
  const calls: Ctx<never, never, typeof add> = ctx;
  const nothing: Ctx = ctx;
  const ofAnyKey: MappedCtx = ctx;
  return [ids, reads, writes, calls, nothing, ofAnyKey];
}

/** The compile-fail cases have the sentences: here, that no other direction is let through. */
export function wider(ctx: MappedCtx<Day, "lake.raw", "lake.clean">, gathered: GatherCtx<Day, "lake.raw">): unknown[] {
  // @ts-expect-error it reads what ctx doesn't
  const reads: Ctx<typeof raw | "lake.y"> = ctx;
  // @ts-expect-error it writes what ctx doesn't
  const writes: Ctx<never, "lake.raw"> = ctx;
  // @ts-expect-error it calls what ctx doesn't
  const calls: Ctx<never, never, typeof add> = ctx;
  // @ts-expect-error a run's context has no partition of its own
  const mapped: MappedCtx<Day, "lake.raw"> = gathered;
  // @ts-expect-error a partition's context has no list of them
  const gather: GatherCtx<Day, "lake.raw"> = ctx;
  return [reads, writes, calls, mapped, gather];
}

/** What the library's writer gives can be committed. */
export const committable = (files: readonly FileOfSpec[]): readonly NewFile[] => files;
