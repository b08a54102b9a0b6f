/** The commits of a step's attempts for one partition: each is made once, however often the step is tried. */
import { isDeepStrictEqual } from "node:util";
import type { Snapshot } from "../core/ctx.ts";
import { OrcaError } from "../core/errors.ts";
import type { Row } from "../core/sql/relation.ts";
import { textOfWhere } from "./where.ts";

/** What a commit does to which table. */
export interface Commit {
  /** In a sentence: `appends to`. */
  readonly verb: string;
  readonly dataset: string;
  /** Of an overwrite: what the rows that it replaces equal, as it is stored. */
  readonly where: Row | undefined;
}

/** The commits that have landed, by their place among those of an attempt, from 0: nothing else tells two appends to one table apart. */
export class StepCommits {
  readonly #step: string;
  readonly #landed: (Commit & { readonly snapshot: Snapshot })[] = [];

  constructor(step: string) {
    this.#step = step;
  }

  /**
   * The snapshot of the commit that landed at a place, if one has.
   *
   * @throws OrcaError `commits-differ` if that was another commit: its snapshot would pass for one of rows that were never written.
   */
  snapshotAt(place: number, commit: Commit): Snapshot | undefined {
    const landed = this.#landed[place];
    if (landed === undefined) return undefined;
    const { snapshot, ...before } = landed;
    if (isDeepStrictEqual(before, commit)) return snapshot;
    throw commitsDiffer(this.#step, place + 1, textOfCommit(commit), textOfCommit(before));
  }

  land(place: number, commit: Commit, snapshot: Snapshot): void {
    this.#landed[place] = { ...commit, snapshot };
  }
}

/** @param number the commit's place, from 1. @param does what it does, in a sentence. @param before what an earlier attempt's did. */
export function commitsDiffer(step: string, number: number, does: string, before: string): OrcaError {
  return new OrcaError(
    "commits-differ",
    `commit ${number} of step '${step}' ${does}, and that of an earlier attempt ${before}: a step must make its commits in the same order at every attempt`,
  );
}

/** What a commit does, in a sentence: `overwrites 'lake.clean' where day is 2024-01-31`. */
export function textOfCommit({ verb, dataset, where = {} }: Commit): string {
  const matched = Object.keys(where).length === 0 ? "" : ` where ${textOfWhere(where)}`;
  return `${verb} '${dataset}'${matched}`;
}
