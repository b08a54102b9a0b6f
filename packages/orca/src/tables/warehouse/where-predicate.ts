import { and, eq, isNull, type Literal, type Predicate } from "@orcajs/iceberg";
import type { Row } from "../../core/sql/relation.ts";

/** A filter for rows whose columns equal these values, which are as they are stored. */
export function wherePredicate(where: Row): Predicate {
  return and(
    ...Object.entries(where).map(([name, value]) => (value === null ? isNull(name) : eq(name, value as Literal))),
  );
}
