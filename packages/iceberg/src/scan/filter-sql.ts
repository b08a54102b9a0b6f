/** Filters as conditions in SQL, which DuckDB prunes row groups by. */
import { duckLiteral } from "../engine/duck-literal.ts";
import type { BoundColumn, BoundPredicate, BoundTest } from "../predicate/bind.ts";

const COMPARISONS = { eq: "=", ne: "<>", lt: "<", le: "<=", gt: ">", ge: ">=" } as const;

/** What a filter's columns are in a query. */
export interface FilterColumns {
  /** The expression for a column, of the column's type. */
  readonly sqlOf: (column: BoundColumn) => string;
  /** False if none of the column's values is NaN. */
  readonly mayHaveNaN: (column: BoundColumn) => boolean;
}

/** A condition that is true of the rows which the filter selects. */
export function filterSql(predicate: BoundPredicate, columns: FilterColumns): string {
  switch (predicate.op) {
    case "true":
    case "false":
      return predicate.op;
    case "and":
    case "or": {
      if (predicate.of.length === 0) return predicate.op === "and" ? "true" : "false";
      return `(${predicate.of.map((part) => filterSql(part, columns)).join(predicate.op === "and" ? " AND " : " OR ")})`;
    }
    default: {
      const { column } = predicate;
      const [sql, test] = [columns.sqlOf(column), testSql(predicate, columns.sqlOf(column))];
      const isOfNumbers = column.type.kind === "float" || column.type.kind === "double";
      if (!isOfNumbers || predicate.op === "is-null" || predicate.op === "not-null" || !columns.mayHaveNaN(column))
        return test;
      // bounds of row groups leave NaN out, and DuckDB takes what is true or false within them for so of all rows
      return selectsNaN(predicate) ? `(${test} OR isnan(${sql}))` : `(${test} AND NOT isnan(${sql}))`;
    }
  }
}

/** Whether a test is true of NaN, which is above all other numbers and equal to itself. */
function selectsNaN(test: BoundTest): boolean {
  switch (test.op) {
    case "eq":
    case "le":
      return Number.isNaN(test.value);
    case "ne":
    case "gt":
      return !Number.isNaN(test.value);
    case "ge":
      return true;
    case "in":
    case "not-in":
      return test.values.some(Number.isNaN) === (test.op === "in");
    default:
      return false;
  }
}

function testSql(test: BoundTest, column: string): string {
  const { type } = test.column;
  switch (test.op) {
    case "is-null":
      return `${column} IS NULL`;
    case "not-null":
      return `${column} IS NOT NULL`;
    case "in":
    case "not-in": {
      if (test.values.length === 0) return test.op === "in" ? "false" : `${column} IS NOT NULL`;
      const values = test.values.map((value) => duckLiteral(type, value)).join(", ");
      return `${column} ${test.op === "in" ? "IN" : "NOT IN"} (${values})`;
    }
    case "starts-with": {
      const prefix = duckLiteral(type, test.value);
      // bounds of row groups tell whether this holds
      return `(${column} >= ${prefix} AND starts_with(${column}, ${prefix}))`;
    }
    case "not-starts-with":
      return `NOT starts_with(${column}, ${duckLiteral(type, test.value)})`;
    default:
      return `${column} ${COMPARISONS[test.op]} ${duckLiteral(type, test.value)}`;
  }
}
