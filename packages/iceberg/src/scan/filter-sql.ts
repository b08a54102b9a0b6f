/** Filters as conditions in SQL, which DuckDB prunes row groups by. */
import { duckLiteral } from "../engine/duck-literal.ts";
import type { BoundColumn, BoundPredicate, BoundTest } from "../predicate/bind.ts";

const COMPARISONS = { eq: "=", ne: "<>", lt: "<", le: "<=", gt: ">", ge: ">=" } as const;

/** A condition that is true of the rows which the filter selects. @param sqlOf the expression for a column, of the column's type. */
export function filterSql(predicate: BoundPredicate, sqlOf: (column: BoundColumn) => string): string {
  switch (predicate.op) {
    case "true":
    case "false":
      return predicate.op;
    case "and":
    case "or": {
      if (predicate.of.length === 0) return predicate.op === "and" ? "true" : "false";
      return `(${predicate.of.map((part) => filterSql(part, sqlOf)).join(predicate.op === "and" ? " AND " : " OR ")})`;
    }
    default:
      return testSql(predicate, sqlOf(predicate.column));
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
