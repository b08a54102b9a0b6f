/** Commits of rows: added to those that a table has, or in the place of some. */
import { isArrowBatch } from "@orcajs/iceberg";
import type { DatasetOrName } from "../../core/datasets/dataset.ts";
import type { Row } from "../../core/sql/relation.ts";
import { type KnownColumns, storedWhere, textOfWhere } from "../where.ts";
import type { Commit, CommitToTable } from "./commit.ts";
import { StepRelation } from "./step-relation.ts";
import { asSqlMisfit } from "./sql-misfit.ts";
import { wherePredicate } from "./where-predicate.ts";
import { asMisfit, writtenRows } from "./written-rows.ts";

export function appendOf(dataset: DatasetOrName, rows: unknown): Commit {
  return rowCommit(dataset, rows, (known) => ({
    does: `appends to '${known.name}'`,
    make: (table, manner) => table.append(writtenRows(known, rows), manner),
  }));
}

/** @param asked what the rows that are replaced equal. */
export function overwriteOf(dataset: DatasetOrName, rows: unknown, asked: Row): Commit {
  return rowCommit(dataset, rows, (known) => {
    const where = storedWhere(known, asked);
    const matched = Object.keys(where).length === 0 ? "" : ` where ${textOfWhere(where)}`;
    return {
      does: `overwrites '${known.name}'${matched}`,
      make: (table, manner) =>
        table.overwrite(writtenRows(known, rows, where), { ...manner, where: wherePredicate(where) }),
    };
  });
}

function rowCommit(dataset: DatasetOrName, rows: unknown, of: (known: KnownColumns) => CommitToTable): Commit {
  return {
    dataset,
    isRepeatable: rows instanceof StepRelation || Array.isArray(rows) || isArrowBatch(rows), // those of a generator can't be had again
    of: (known) => {
      const commit = of(known);
      return {
        does: commit.does,
        async make(table, manner) {
          if (rows instanceof StepRelation) await rows.pin();
          try {
            return await commit.make(table, manner);
          } catch (error) {
            throw asSqlMisfit(asMisfit(known.name, error));
          }
        },
      };
    },
  };
}
