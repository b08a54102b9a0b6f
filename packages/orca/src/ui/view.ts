/** A path of the UI: rows that are read, and the page that they make; the same rows are its JSON. */
import type { Context } from "hono";
import { OrcaError } from "../core/errors.ts";
import type { Database } from "../state/database.ts";
import type { Frame } from "./look/frame.ts";
import type { Shown } from "./look/shell.tsx";
import type { RememberedCounts } from "./key-counts.ts";
import type { Previews } from "./previews.ts";
import { Query, textFrom } from "./query.ts";

/** What pages are made with. */
export interface Source {
  readonly database: Database;
  /** The instant that schedules and pages take for now. */
  readonly now: () => Date;
  /** How long a run without a heartbeat counts as its process's. */
  readonly staleMs: number;
  /** What `ORCA_LOGS` is, if it is set: it may say how the bucket of logs is reached. */
  readonly logs: string | undefined;
}

/** One request for a page. */
export interface Asked extends Source {
  /** The parts of the path that have names. @throws Error for a name that the path doesn't have. */
  readonly part: (name: string) => string;
  readonly query: Query;
  readonly keyCounts: RememberedCounts;
  readonly previews: Previews;
}

export interface View<Data> {
  /** As Hono takes paths: `/runs/:run`. */
  readonly path: string;
  /**
   * Reads what the page shows, which is what it answers as JSON: rows of a bounded number.
   *
   * @throws OrcaError of a code `unknown-…` for what there isn't, `usage` for a wrong parameter.
   */
  readonly read: (asked: Asked) => Promise<Data>;
  readonly show: (data: Data, frame: Frame, asked: Asked) => Shown;
}

/** A view among others, whatever its data is. */
export type AnyView = View<unknown>;

export function view<Data>(given: View<Data>): AnyView {
  return given as AnyView; // it is shown only what it has read itself
}

/** Names of datasets are the longest. */
const PART_MAX = 1_024;

/** The part of a request's path that has a name. @throws OrcaError `usage` for one that no name is like. */
export function partOf(context: Context, name: string): string {
  const part = textFrom(context.req.param(name) ?? "", name, PART_MAX);
  if (part === undefined) throw new OrcaError("unknown-page", `the path ${context.req.path} lacks a name`);
  return part;
}

/** The parameters of a request. */
export function queryOf(context: Context): Query {
  return new Query(new URL(context.req.url).searchParams);
}
