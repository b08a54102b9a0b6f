// The types that steps, tasks and pipelines have by inference, exactly. Nothing here runs: the compiler is the test.
import type { Dataset, Day, Gather, Mapped, Month, Name, Pipeline, Task } from "orcajs";
import type { MemoryRun } from "orcajs/testing";
import type fanout from "../../examples/fanout.ts";
import type { trips as countTrips } from "../../examples/fanout.ts";
import type labels from "../../examples/labels.ts";
import type { label, score } from "../../examples/labels.ts";
import type lake from "../../examples/lake.ts";
import { type checked, type cleaned, type report, worst } from "../../examples/lake.ts";
import { type days, measure, type total } from "../../examples/toy.ts";
import { equal, type Equal } from "./equal.ts";

equal<Equal<typeof days, Mapped<"days", Month, Month, { month: Month; days: number }, never>>>();
equal<
  Equal<
    typeof measure,
    Mapped<"measure", Month, { month: Month; days: number }, { hours: number; month: Month; days: number }, "days">
  >
>();
equal<
  Equal<typeof total, Gather<"total", Month, { hours: number; month: Month; days: number }[], number, "measure">>
>();
equal<Equal<typeof cleaned, Mapped<"cleaned", Day, Day, { snapshot: bigint; rows: number }, never>>>();
equal<Equal<typeof checked, Mapped<"checked", Day, { snapshot: bigint; rows: number }, number, "cleaned">>>();
equal<
  Equal<
    typeof worst,
    Gather<
      "worst",
      Day,
      { snapshot: bigint; rows: number }[],
      { most: number; days: number; last: bigint | undefined },
      "cleaned"
    >
  >
>();
equal<
  Equal<
    typeof report,
    Gather<
      "report",
      Day,
      [number[], { most: number; days: number; last: bigint | undefined }],
      { dropped: number; most: number; days: number; last: bigint | undefined },
      "checked" | "worst"
    >
  >
>();
equal<Equal<typeof label, Mapped<"label", Name, Name, { snapshot: bigint; labels: number }, never>>>();
equal<
  Equal<
    typeof score,
    Gather<
      "score",
      Name,
      { snapshot: bigint; labels: number }[],
      { counts: Map<Name, number>; snapshots: bigint[] },
      "label"
    >
  >
>();
equal<Equal<typeof countTrips, Task<"trips", [day: Day], number>>>();
equal<Equal<typeof lake, Pipeline<Day>>>();
equal<Equal<typeof fanout, Pipeline<Month>>>();
equal<Equal<typeof labels, Pipeline<Name>>>();

// a run in memory gives what its steps give
export async function outputs(run: MemoryRun, raw: Dataset<"lake.raw", { id: bigint }>): Promise<void> {
  const measured = run.output(measure, "2024-01");
  const worstOf = run.output(worst);
  const rows = await run.rows(raw);
  const untyped = await run.rows("lake.raw");
  equal<Equal<typeof measured, { hours: number; month: Month; days: number }>>();
  equal<Equal<typeof worstOf, { most: number; days: number; last: bigint | undefined }>>();
  equal<Equal<typeof rows, readonly { id: bigint }[]>>();
  equal<Equal<typeof untyped, readonly Record<string, unknown>[]>>();
}
