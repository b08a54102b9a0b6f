import type { TableState } from "./table-operations.ts";

/** The later of two states of a table: what was committed at the same time through one object may come back in any order. */
export function newerState(a: TableState, b: TableState): TableState {
  const follows = (later: TableState, earlier: TableState) =>
    later.metadata["metadata-log"].some((entry) => entry["metadata-file"] === earlier.metadataLocation);
  if (follows(a, b)) return a;
  // where the log doesn't go so far back, the clock of who committed tells
  return follows(b, a) || b.metadata["last-updated-ms"] >= a.metadata["last-updated-ms"] ? b : a;
}
