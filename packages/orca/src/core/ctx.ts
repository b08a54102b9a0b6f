import type { Ref, RefArgs, Task } from "@orcajs/dista";
import type { Begun, Columns } from "./datasets/column-notation.ts";
import type { Column } from "./datasets/column.ts";
import type { Dataset, DatasetOrName, NameOf, RowOf } from "./datasets/dataset.ts";
import type { RowsThatFit, Where } from "./datasets/rows.ts";
import type { PartitionKey } from "./keys/partition-key.ts";
import type { Mistake } from "./mistake.ts";
import type { Scan, SqlTag } from "./sql/relation.ts";
import type { FileChange } from "./table-files.ts";

/** The ID of a table's snapshot: 64 bits, so a bigint. */
export type Snapshot = bigint;

/** A table as it stands. */
export interface Table {
  readonly location: string;
  readonly columns: readonly Column[];
  /** The current snapshot, or undefined if there is none yet. */
  readonly snapshot: Snapshot | undefined;
}

/** The run that a step is part of. */
export interface Run {
  /** Its number in the database, or undefined in a run in memory, which is recorded nowhere. */
  readonly id: number | undefined;
  readonly pipeline: string;
}

/**
 * What a dataset that a step hasn't declared is replaced by: a sentence. One that it has is `any`, not `D`: a type that any context's
 * parameter fits, so that contexts compare by their `[reads]`, `[writes]` and `[tasks]` alone. (`[D] extends [never]` is never so: `D` is
 * inferred from it.)
 */
// prettier-ignore
type Declared<D, Names extends string, List extends string> =
  [D] extends [never] ? D
  : NameOf<D> extends Names ? any
  : D extends string ? ([Begun<Names, D>] extends [never] ? Mistake<Undeclared<D, List>> : never) // still being typed
  : Undeclared<D, List>;
type Undeclared<D, List extends string> = `'${NameOf<D>}' isn't in this step's ${List}`;

/** What a task that a step hasn't declared is replaced by, as `Declared`. */
// prettier-ignore
type DeclaredTask<T extends Task, Tasks> =
  [T] extends [never] ? T
  : [T] extends [Tasks] ? any
  : `'${T["name"]}' isn't in this step's tasks`;

declare const reads: unique symbol;
declare const writes: unique symbol;
declare const tasks: unique symbol;
/** The names in a step's `reads`, `writes` or `tasks`. */
type Names<N extends string> = { readonly [K in N]: true };

type ArgsOf<T> = T extends Task<any, infer A> ? RefArgs<A> : never[];
type OutOf<T> = T extends Task<any, any, infer O> ? O : never;

/** What a step can reach: its attempt, its log, and the datasets and tasks that it declared. */
export interface StepCtx<
  in Reads extends string = never,
  in Writes extends string = never,
  in Tasks extends Task = never,
> {
  /** 1 on the first attempt. */
  readonly attempt: number;
  /** Aborted when the run is cancelled, when the step's timeout is over, and when the run's process is told to stop. */
  readonly signal: AbortSignal;
  readonly run: Run;
  /** Writes a line to the attempt's log; values that aren't text are written as `console.log` does. */
  readonly log: (...message: unknown[]) => void;
  /**
   * A dataset's rows, at the snapshot that it had on this step's first attempt. Returns at once: they are read when asked for. With `where`, only
   * those whose columns equal its values: files that have none of them aren't opened, as SQL's `where` can't know.
   */
  readonly scan: <D extends DatasetOrName>(
    dataset: Reads | Declared<D, Reads, "reads">,
    options?: { readonly where?: Where<RowOf<D>> },
  ) => Scan<RowOf<D>>;
  /**
   * Adds rows as one snapshot: once, however often the step is tried. A step makes its commits in the same order at every attempt.
   *
   * @throws OrcaError `commits-differ` if an earlier attempt has made another commit in this one's place.
   */
  readonly append: <D extends DatasetOrName, const T>(
    dataset: Writes | Declared<D, Writes, "writes">,
    rows: RowsThatFit<T, RowOf<D>, NameOf<D>>,
  ) => Promise<Snapshot>;
  /** Replaces exactly the rows whose columns equal `where` by `rows`, as one snapshot. Every row written must match `where` too. Once, as `append`. */
  readonly overwrite: <D extends DatasetOrName, const T>(
    dataset: Writes | Declared<D, Writes, "writes">,
    rows: RowsThatFit<T, RowOf<D>, NameOf<D>>,
    options: { readonly where: Where<RowOf<D>> },
  ) => Promise<Snapshot>;
  /**
   * Commits Parquet files that are written already, adds and removes them, as one snapshot of any operation. Once, as `append`. They stay
   * where they are, and are the table's from then on: each attempt writes its files under names of their own.
   *
   * @throws OrcaError `files-misfit` with the file that doesn't fit the table, is in it already, or isn't there.
   */
  readonly commit: <D extends DatasetOrName>(
    dataset: Writes | Declared<D, Writes, "writes">,
    change: FileChange,
  ) => Promise<Snapshot>;
  /** SQL over scans, run by DuckDB when its rows are asked for. */
  readonly sql: SqlTag;
  /** A dataset's table. */
  readonly table: <D extends DatasetOrName>(
    dataset: Reads | Writes | Declared<D, Reads | Writes, "reads or writes">,
  ) => Promise<Table>;
  /** A dataset's table, made if there is none: with its columns, or, for a name, with these. */
  readonly ensureTable: <D extends DatasetOrName>(
    dataset: Writes | Declared<D, Writes, "writes">,
    ...columns: D extends Dataset ? [] : [columns: Columns]
  ) => Promise<Table>;
  /** Calls a task on a worker, and returns at once. */
  readonly remote: <T extends Task>(task: Tasks | DeclaredTask<T, Tasks>, ...args: ArgsOf<T>) => Ref<OutOf<T>>;
  readonly [reads]: Names<Reads>;
  readonly [writes]: Names<Writes>;
  readonly [tasks]: Names<Tasks["name"]>;
}

/** The part of a step's context that a helper needs, by the datasets it reads and writes: `Ctx<typeof raw, typeof clean | "lake.log">`. */
export type Ctx<
  Reads extends DatasetOrName = never,
  Writes extends DatasetOrName = never,
  Tasks extends Task = never,
> = StepCtx<NameOf<Reads>, NameOf<Writes>, Tasks>;

/** A mapped step's context: one partition's. */
export interface MappedCtx<
  Key extends PartitionKey = PartitionKey,
  Reads extends string = never,
  Writes extends string = never,
  Tasks extends Task = never,
> extends StepCtx<Reads, Writes, Tasks> {
  readonly partition: Key;
}

/** A gather step's context: the whole run's, its partitions in the order of its input. */
export interface GatherCtx<
  Key extends PartitionKey = PartitionKey,
  Reads extends string = never,
  Writes extends string = never,
  Tasks extends Task = never,
> extends StepCtx<Reads, Writes, Tasks> {
  readonly partitions: readonly Key[];
}
