import type { SqlFragment } from "../../core/sql/fragment.ts";
import type { Relation, Row } from "../../core/sql/relation.ts";

/** A query, which is run when its rows are asked for, and stands for a table in another. */
export class SqlQuery implements AsyncIterable<Row> {
  readonly fragment: SqlFragment;
  readonly #run: (fragment: SqlFragment) => Promise<Row[]>;

  constructor(fragment: SqlFragment, run: (fragment: SqlFragment) => Promise<Row[]>) {
    this.fragment = fragment;
    this.#run = run;
  }

  toArray(): Promise<Row[]> {
    return this.#run(this.fragment);
  }

  async *[Symbol.asyncIterator](): AsyncIterator<Row> {
    yield* await this.toArray();
  }
}

/** The type that users see has a member that no value has: what rows are is in the type alone. */
export function asRelation(query: SqlQuery): Relation {
  return query as unknown as Relation;
}
