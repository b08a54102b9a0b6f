/** `ctx.sql` over the tables of a warehouse: pieces of Orca's SQL as the engine takes them. */
import { type Engine, type Relation, sql } from "@orcajs/iceberg";
import { SqlFragment } from "../../core/sql/fragment.ts";

type Tag<T> = (texts: readonly string[], ...values: readonly unknown[]) => T;

/** A query of an engine. What is in it was checked before. */
export function queryOf(engine: Engine, { texts, values }: SqlFragment): Relation {
  return (engine.sql as unknown as Tag<Relation>)(texts, ...values.map(asPiece));
}

function asPiece(value: unknown): unknown {
  if (!(value instanceof SqlFragment)) return value;
  return (sql as unknown as Tag<unknown>)(value.texts, ...value.values.map(asPiece));
}
