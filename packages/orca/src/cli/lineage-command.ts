/** `orca lineage`: what a snapshot was made of, and what was made of it. */
import { checkDatasetName } from "../core/datasets/dataset.ts";
import { OrcaError } from "../core/errors.ts";
import { type DatasetSnapshot, LINEAGE_STEPS, type Link, textOfSnapshot, type Walked } from "../core/lineage.ts";
import { newestSnapshot } from "../state/lineage.ts";
import type { Terminal } from "./command-line.ts";
import { openExisting } from "./database.ts";
import type { Environment } from "./environment.ts";
import { lineageOf } from "./lineage-of.ts";

export interface LineageOptions {
  /** Whether it is of the snapshots whose rows are in the given one; else of both walks. */
  readonly isOfRows: boolean;
  readonly isJson: boolean;
}

/** Writes lineage. @param given `lake.clean`, or `lake.clean@123`; a location in a name's place. */
export async function lineageCommand(
  given: string,
  asked: LineageOptions,
  environment: Environment,
  terminal: Terminal,
): Promise<void> {
  const { dataset, wanted } = snapshotGiven(given);
  await using open = await openExisting(environment, terminal);
  const { database } = open;
  const snapshot = wanted ?? (await newestSnapshot(database, dataset));
  if (snapshot === undefined)
    throw new OrcaError("unknown-snapshot", `no run on record has made a snapshot of ${dataset}`);
  const start = { dataset, snapshot };
  if (asked.isOfRows) {
    const { linesOfRows, rowsOf } = await import("./lineage-rows.ts");
    const held = await rowsOf(database, start);
    const lines = asked.isJson ? [JSON.stringify({ ...start, ...held }, inJson, 2)] : linesOfRows(start, held);
    terminal.stdout.write(`${lines.join("\n")}\n`);
    return;
  }
  const { madeFrom, madeOfIt } = await lineageOf(database, start);
  if (wanted !== undefined && madeFrom.length === 0 && madeOfIt.length === 0)
    throw new OrcaError("unknown-snapshot", `no run on record has read or made ${textOfSnapshot(start)}`);
  const text = asked.isJson
    ? [JSON.stringify({ ...start, madeFrom, madeOfIt }, inJson, 2)]
    : linesOf(start, madeFrom, madeOfIt);
  terminal.stdout.write(`${text.join("\n")}\n`);
}

function snapshotGiven(text: string): { readonly dataset: string; readonly wanted: bigint | undefined } {
  const [, dataset = "", id] = /^(.*?)(?:@([^@/]*))?$/s.exec(text) ?? []; // a location may have an @ in it
  checkDatasetName(dataset);
  if (id === undefined) return { dataset, wanted: undefined };
  if (!/^\d{1,19}$/.test(id))
    throw new OrcaError(
      "usage",
      `'${id}' isn't a snapshot's number: write ${dataset}@<snapshot>, or ${dataset} for its newest`,
    );
  return { dataset, wanted: BigInt(id) };
}

function linesOf(start: DatasetSnapshot, back: readonly Walked<Link>[], forward: readonly Walked<Link>[]): string[] {
  return [
    textOfSnapshot(start),
    "made from:",
    ...(back.length === 0 ? ["  nothing on record"] : back.map(lineOf)),
    "made from it:",
    ...(forward.length === 0 ? ["  nothing"] : forward.map(lineOf)),
    ...([...back, ...forward].some(({ distance }) => distance === LINEAGE_STEPS - 1)
      ? [`(no further than ${LINEAGE_STEPS} steps)`]
      : []),
  ];
}

function lineOf(link: Walked<Link>): string {
  const what = `  ${link.distance} ${textOfSnapshot(link)}`;
  if (!("by" in link)) return `${what} by another writer, on ${textOfSnapshot(link.on)}`;
  const { pipeline, run, step, partition, code } = link.by;
  const from = link.from.length === 0 ? "" : ` from ${link.from.map(textOfSnapshot).join(", ")}`;
  return `${what} by ${pipeline} run ${run} ${step}${partition === "" ? "" : ` ${partition}`} code ${code}${from}`;
}

/** Snapshots' numbers have more digits than other programs' numbers hold. */
function inJson(_: string, value: unknown): unknown {
  return typeof value === "bigint" ? value.toString() : value;
}
