/** Rows to come, of tables in memory: what scans and queries return. */
import type { Snapshot } from "../core/ctx.ts";
import type { Column } from "../core/datasets/column.ts";
import type { SqlFragment } from "../core/sql/fragment.ts";
import type { Relation, Row, Scan } from "../core/sql/relation.ts";
import type { TableFile } from "../core/table-files.ts";
import { checkColumns } from "./declared.ts";

/** Rows with, if they are a dataset's, its columns. */
export interface Held {
  readonly columns: readonly Column[] | undefined;
  readonly rows: readonly Row[];
}

/** Rows as they were at a snapshot: undefined if the table had none. */
export interface Pin extends Held {
  readonly snapshot: Snapshot | undefined;
}

/** Rows to come. What a step may do to them is in core's types; the rest is for the query that they are put into. */
export abstract class MemoryRelation implements AsyncIterable<Row> {
  abstract toArray(): Promise<Row[]>;

  async *[Symbol.asyncIterator](): AsyncIterator<Row> {
    yield* await this.toArray();
  }
}

/** A table's rows at a pinned snapshot. */
export class MemoryScan extends MemoryRelation {
  readonly #pin: () => Pin;
  readonly #known: readonly Column[] | undefined;
  readonly #names: readonly string[] | undefined;

  /** @param pin pins the snapshot, when it is first called. @param known the table's columns, if it has any. @param names those to read, if not all. */
  constructor(pin: () => Pin, known: readonly Column[] | undefined, names?: readonly string[]) {
    super();
    this.#pin = pin;
    this.#known = known;
    this.#names = names;
  }

  held(): Held {
    const names = this.#names;
    const { columns, rows } = this.#pin();
    if (names === undefined) return { columns, rows };
    return {
      columns: columns?.filter((c) => names.includes(c.name)),
      rows: rows.map((row) => Object.fromEntries(names.map((name) => [name, row[name]]))),
    };
  }

  /** A copy, so that a step that changes its rows changes no table. */
  async toArray(): Promise<Row[]> {
    return structuredClone([...this.held().rows]);
  }

  async snapshot(): Promise<Snapshot | undefined> {
    return this.#pin().snapshot;
  }

  async files(): Promise<readonly TableFile[]> {
    return [];
  }

  columns(...names: readonly string[]): MemoryScan {
    const known = this.#names ?? this.#known?.map((c) => c.name);
    checkColumns(known, names);
    return new MemoryScan(this.#pin, this.#known, names);
  }
}

/** A query, which is run when its rows are asked for, and stands for a table in another. */
export class MemoryQuery extends MemoryRelation {
  readonly fragment: SqlFragment;
  readonly #run: (fragment: SqlFragment) => Promise<Row[]>;

  constructor(fragment: SqlFragment, run: (fragment: SqlFragment) => Promise<Row[]>) {
    super();
    this.fragment = fragment;
    this.#run = run;
  }

  toArray(): Promise<Row[]> {
    return this.#run(this.fragment);
  }
}

/** The types that users see have a member that no value has: what rows are is in the type alone. */
export function asScan(scan: MemoryScan): Scan {
  return scan as unknown as Scan;
}
export function asRelation(relation: MemoryQuery): Relation {
  return relation as unknown as Relation;
}
