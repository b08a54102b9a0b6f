/** `orca lineage`: what a snapshot was made of, and what was made of it. */
import { checkDatasetName } from "../core/datasets/dataset.ts";
import { OrcaError } from "../core/errors.ts";
import {
  type DatasetSnapshot,
  LINEAGE_STEPS,
  type Made,
  type MadeByOthers,
  textOfSnapshot,
  walk,
  type Walked,
} from "../core/lineage.ts";
import type { Database } from "../state/database.ts";
import { locationOf, madeFromSnapshots, madeSnapshots, newestSnapshot } from "../state/lineage.ts";
import type { Terminal } from "./command-line.ts";
import { openExisting } from "./database.ts";
import type { Environment } from "./environment.ts";

type Link = Made | MadeByOthers;

/** Writes both walks. @param given `lake.clean`, or `lake.clean@123`; a location in a name's place. */
export async function lineageCommand(
  given: string,
  isJson: boolean,
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
  const madeFrom = await walk<Link>(
    [start],
    (snapshots) => linksBack(database, snapshots),
    (link) => ("by" in link ? link.from : [link.on]),
  );
  const madeOfIt = await walk(
    [start],
    (snapshots) => madeFromSnapshots(database, snapshots),
    (made) => [made],
  );
  if (wanted !== undefined && madeFrom.length === 0 && madeOfIt.length === 0)
    throw new OrcaError("unknown-snapshot", `no run on record has read or made ${textOfSnapshot(start)}`);
  const text = isJson
    ? [JSON.stringify({ ...start, madeFrom, madeOfIt }, inJson, 2)]
    : linesOf(start, madeFrom, madeOfIt);
  terminal.stdout.write(`${text.join("\n")}\n`);
}

/** What made snapshots; of those that other writers made, on which of Orca's they did. */
async function linksBack(database: Database, snapshots: readonly DatasetSnapshot[]): Promise<readonly Link[]> {
  const made = await madeSnapshots(database, snapshots);
  const known = new Set(made.map(textOfSnapshot));
  const unknown = snapshots.filter((found) => !known.has(textOfSnapshot(found)));
  const others: MadeByOthers[] = [];
  for (const [dataset, ofDataset] of Map.groupBy(unknown, (found) => found.dataset))
    others.push(...(await onOrcas(database, dataset, ofDataset)));
  return [...made, ...others];
}

/** Snapshots of a dataset that others made, each on the nearest of Orca's. */
async function onOrcas(
  database: Database,
  dataset: string,
  snapshots: readonly DatasetSnapshot[],
): Promise<readonly MadeByOthers[]> {
  const location = await locationOf(database, dataset);
  if (location === undefined) return [];
  const { parentsOf } = await import("../tables/warehouse/parents.ts");
  const parents = await parentsOf(location);
  const all = Array.from(parents.keys(), (snapshot) => ({ dataset, snapshot }));
  const made = new Set((await madeSnapshots(database, all)).map((m) => m.snapshot));
  return snapshots.flatMap(({ snapshot }) => {
    let on = snapshot && parents.get(snapshot);
    for (let n = 0; on !== undefined && !made.has(on) && n < parents.size; n++) on = parents.get(on);
    return on !== undefined && made.has(on) ? [{ dataset, snapshot, on: { dataset, snapshot: on } }] : [];
  });
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

function linesOf(start: DatasetSnapshot, back: readonly Walked<Link>[], forward: readonly Walked<Made>[]): string[] {
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
