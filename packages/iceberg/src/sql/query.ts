/** Queries over relations. */
import type { DuckDBConnection, DuckDBValue } from "@duckdb/node-api";
import type { Abortable } from "@orcajs/objectstore";
import type { Duck } from "../engine/duck-values.ts";
import type { Engine } from "../engine/engine.ts";
import type { PreparedQuery } from "../engine/query-source.ts";
import { Relation } from "../engine/relation.ts";
import { checkInSql } from "./check.ts";
import { SqlFragment, sqlPieces } from "./fragment.ts";
import type { SqlTag } from "./in-sql.ts";
import { oneStatement } from "./statement.ts";

/** Makes queries that run in an engine. */
export function sqlTag(engine: Engine): SqlTag {
  const tag = (texts: TemplateStringsArray, ...values: readonly unknown[]) => {
    values.forEach(checkInSql);
    return new Query(engine, new SqlFragment(texts, values));
  };
  return Object.assign(tag, sqlPieces) as SqlTag;
}

/** A query, which is run when its rows are asked for, and stands for a table in another. */
class Query extends Relation {
  readonly #fragment: SqlFragment;

  constructor(engine: Engine, fragment: SqlFragment) {
    super(engine);
    this.#fragment = fragment;
  }

  override async prepare(connection: DuckDBConnection, options: Abortable = {}): Promise<PreparedQuery> {
    const [duck, undo] = [await import("@duckdb/node-api"), new AsyncDisposableStack()];
    const writer = new QueryWriter(connection, options, duck, undo);
    try {
      const text = await oneStatement(connection, await writer.fragment(this.#fragment));
      return { text, explain: (error) => writer.explain(error), [Symbol.asyncDispose]: () => undo.disposeAsync() };
    } catch (error) {
      await undo.disposeAsync();
      throw error;
    }
  }
}

/** Names of variables are used once in a process: queries within queries share a connection. */
let variables = 0;

/** Writes a query's text. Values are variables of the connection: as text they could end a text of the query's, or a comment. */
class QueryWriter {
  readonly #connection: DuckDBConnection;
  readonly #options: Abortable;
  readonly #duck: Duck;
  readonly #undo: AsyncDisposableStack;
  readonly #prepared = new Map<Relation<unknown>, PreparedQuery>();

  constructor(connection: DuckDBConnection, options: Abortable, duck: Duck, undo: AsyncDisposableStack) {
    this.#connection = connection;
    this.#options = options;
    this.#duck = duck;
    this.#undo = undo;
  }

  async fragment({ texts, values }: SqlFragment): Promise<string> {
    const parts: string[] = [];
    for (const [i, text] of texts.entries()) parts.push(text, i < values.length ? await this.#place(values[i]) : "");
    return parts.join("");
  }

  /** The first relation that knows what is wrong says it. */
  async explain(error: unknown): Promise<unknown> {
    for (const { explain } of this.#prepared.values()) {
      const explained = explain === undefined ? error : await explain(error);
      if (explained !== error) return explained;
    }
    return error;
  }

  async #place(value: unknown): Promise<string> {
    if (value instanceof SqlFragment) return await this.fragment(value);
    if (value instanceof Relation) {
      let prepared = this.#prepared.get(value);
      if (prepared === undefined) {
        prepared = this.#undo.use(await value.prepare(this.#connection, this.#options));
        this.#prepared.set(value, prepared);
      }
      return `(${prepared.text}\n)`; // on a line of its own: the query may end in a comment
    }
    // not one variable: that would be of the first value's type, which null and an empty list don't have
    if (Array.isArray(value)) {
      const items: string[] = [];
      for (const item of value) items.push(await this.#place(item));
      return `[${items.join(", ")}]`;
    }
    if (value === null || typeof value === "boolean") return String(value);
    return await this.#variable(value);
  }

  async #variable(value: unknown): Promise<string> {
    const name = `iceberg_value_${variables++}`;
    const cast = typeof value === "number" && isBeyondIntegers(value) ? "::DOUBLE" : isLong(value) ? "::BIGINT" : "";
    await this.#connection.run(`SET VARIABLE ${name} = $1${cast}`, [this.#duckValue(value)]);
    this.#undo.defer(async () => void (await this.#connection.run(`RESET VARIABLE ${name}`)));
    return `(getvariable('${name}'))`;
  }

  #duckValue(value: unknown): DuckDBValue {
    if (value instanceof Date) return new this.#duck.DuckDBTimestampTZValue(BigInt(value.getTime()) * 1000n);
    if (value instanceof Uint8Array) return new this.#duck.DuckDBBlobValue(value);
    if (typeof value === "number" && isBeyondIntegers(value)) return String(value);
    return value as DuckDBValue; // checkInSql let nothing else through
  }
}

/** Whether a number is whole, and too large to be exact: DuckDB's driver would make it an integer. */
function isBeyondIntegers(value: number): boolean {
  return Number.isInteger(value) && !Number.isSafeInteger(value);
}

/** Whether DuckDB's driver would take a bigint for one of 128 bits without need. */
function isLong(value: unknown): boolean {
  return typeof value === "bigint" && BigInt.asIntN(64, value) === value;
}
