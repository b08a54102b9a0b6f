/** Runs pipelines in this process, with their tables in memory: for tests. */
import { decode } from "@orcajs/dista";
import { nameOf, type Dataset, type DatasetOrName, type RowOf } from "./core/datasets/dataset.ts";
import type { RowToAppend } from "./core/datasets/rows.ts";
import { placeOf, type AttemptId, type Outcome } from "./core/journal.ts";
import { OrcaError } from "./core/errors.ts";
import { checkedPartitions, partitionsIn } from "./core/partition-list.ts";
import { isPipeline, type PipelineDefinition } from "./core/pipeline-definition.ts";
import type { Pipeline } from "./core/pipeline.ts";
import type { Row } from "./core/sql/relation.ts";
import type { Gather, Mapped, Step } from "./core/step.ts";
import type { RunObserver } from "./run/run-options.ts";
import { runInThisProcess } from "./run/run-in-memory.ts";
import { datasetsOf } from "./tables/open-tables.ts";
import { SqlTables } from "./tables/sql/sql-tables.ts";
import type { TestTables } from "./tables/warehouse/test-tables.ts";

/** A run that has ended. */
export interface MemoryRun {
  readonly status: "succeeded" | "failed";
  /** What `ctx.log` wrote, and how attempts failed: `measure/2024-01 2024-01 has 31 days`. */
  readonly log: readonly string[];
  /** A gather step's output. Throws what it failed with, if it did. */
  output<Out>(step: Gather<string, any, any, Out>): Out;
  /** A mapped step's output for a partition. Throws what it failed with, if it did. */
  output<Out>(step: Mapped<string, any, any, Out>, partition: string): Out;
  /** How often a step was tried: 0 if it was skipped. */
  attempts(step: Step, partition?: string): number;
  /** A table's rows after the run, typed by a dataset. */
  rows<D extends DatasetOrName>(dataset: D): Promise<readonly RowOf<D>[]>;
}

/** What tables hold before the run: `[[raw, [{ id: 1, … }]], ["by.name", [{ … }]]]`. */
export type TablesBefore<T extends readonly DatasetOrName[]> = {
  readonly [I in keyof T]: readonly [
    dataset: T[I],
    rows: readonly (T[I] extends Dataset<string, infer R> ? RowToAppend<R> : Row)[],
  ];
};

export interface RunInMemoryOptions<T extends readonly DatasetOrName[]> {
  /** The partitions of the run: `["2024-01", "2024-02"]`, or with ranges `["2024-01..2024-12"]`. */
  readonly partitions: readonly string[];
  readonly tables?: TablesBefore<T>;
}

/**
 * Runs a pipeline over partitions in this process. Steps are tried again at once, without the wait between attempts, and are given
 * 100 ms to stop after their timeout.
 *
 * @throws OrcaError on partitions that aren't the pipeline's, and rows that don't fit their table.
 */
export async function runInMemory<const T extends readonly DatasetOrName[] = []>(
  pipeline: Pipeline,
  options: RunInMemoryOptions<T>,
): Promise<MemoryRun> {
  const definition = pipeline as unknown as PipelineDefinition;
  if (!isPipeline(definition))
    throw new OrcaError(
      "invalid-pipeline",
      'runInMemory takes a pipeline: runInMemory(lake, { partitions: ["2024-01"] })',
    );
  const { name, partitions } = definition;
  const given = options.partitions ?? [];
  // two dots in a name are no range
  const keys =
    partitions.kind === "keyed"
      ? checkedPartitions(name, partitions, given)
      : partitionsIn(name, partitions, given.join(","));
  const filled = (options.tables ?? []) as TablesBefore<DatasetOrName[]>;
  await using tables = await testTables(definition, filled);
  const record = new Recorder();
  const { end, journal } = await runInThisProcess(definition, {
    keys,
    tables,
    kept: definition.steps.map((s) => s.name),
    log: (attempt, line) => record.log.push(`${placeOf(attempt.id.step, attempt.id.partition)} ${line}`),
    observer: record,
    signal: new AbortController().signal,
    graceMs: 100,
    retryWaitMs: () => 0,
    ownsProcess: false,
  });
  const declared = new Set(datasetsOf(definition.steps));
  return {
    status: end.status === "succeeded" ? "succeeded" : "failed",
    log: record.log,
    output(step: Step, partition?: string) {
      record.check(step.name, partition);
      return decode(journal.output(step.name, partition)) as never;
    },
    attempts: (step, partition) => record.attemptsOf(step.name, partition),
    rows: async (dataset) => {
      const rows = tables instanceof SqlTables ? undefined : await tables.rows(dataset);
      if (rows === undefined && !declared.has(nameOf(dataset)))
        throw new OrcaError(
          "undeclared",
          `there is no table '${nameOf(dataset)}': no step declares it, and the test gave it no rows`,
        );
      return (rows ?? []) as never;
    },
  };
}

/** A run's tables, with rows in them. Of Iceberg nothing is loaded where there is none. */
async function testTables(
  { name, steps }: PipelineDefinition,
  filled: TablesBefore<DatasetOrName[]>,
): Promise<TestTables | SqlTables> {
  if (filled.length === 0 && datasetsOf(steps).length === 0) return new SqlTables();
  const { TestTables } = await import("./tables/warehouse/test-tables.ts");
  await using undo = new AsyncDisposableStack();
  const tables = undo.use(new TestTables(name, steps));
  for (const [dataset, rows] of filled) await tables.fill(dataset, rows);
  undo.move();
  return tables;
}

/** Keeps what a test asks for afterwards. */
class Recorder implements RunObserver {
  readonly log: string[] = [];
  readonly #attempts = new Map<string, number>();
  /** Why each step that has no output has none. */
  readonly #errors = new Map<string, Error>();

  attemptStarted(id: AttemptId): void {
    this.#attempts.set(placeOf(id.step, id.partition), id.attempt);
    this.#errors.delete(placeOf(id.step, id.partition));
  }

  attemptEnded(id: AttemptId, outcome: Outcome): void {
    if (outcome.status === "succeeded") return;
    const place = placeOf(id.step, id.partition);
    this.#errors.set(place, outcome.error);
    this.log.push(`${place} attempt ${id.attempt} ${outcome.status}: ${outcome.error.message}`);
  }

  skipped(step: string, partition: string | undefined, because: string): void {
    const place = placeOf(step, partition);
    this.#attempts.set(place, 0);
    this.#errors.set(place, new Error(`step '${step}' was skipped: '${because}', which it follows, didn't succeed`));
  }

  stray(error: Error): void {
    this.log.push(error.message);
  }

  /** Throws why a step has no output, if it has none. */
  check(step: string, partition: string | undefined): void {
    const place = placeOf(step, partition);
    const error = this.#errors.get(place);
    if (error !== undefined) throw error;
    this.attemptsOf(step, partition);
  }

  /** Throws if the run has no such step, or not of that partition. */
  attemptsOf(step: string, partition: string | undefined): number {
    const attempts = this.#attempts.get(placeOf(step, partition));
    if (attempts !== undefined) return attempts;
    const which = partition === undefined ? `no gather step '${step}'` : `no step '${step}' of ${partition}`;
    const other = partition === undefined ? ": of a mapped step, say which partition's" : "";
    throw new OrcaError("usage", `there is ${which} in this run${other}`);
  }
}
