/** What is near a snapshot, as a graph: which attempts made it and what from, which read it and what they made. */
import type { Database } from "../../../state/database.ts";
import {
  makersOf,
  readersOf,
  snapshotsOfAttempts,
  type LinkedAttempt,
  type SnapshotId,
} from "../../../state/pages/near-lineage.ts";

export interface SnapshotNode extends SnapshotId {
  readonly id: string;
  readonly kind: "snapshot";
  /** The partition that its maker was of; empty for a gather step, null for what no run made. */
  readonly partition: string | null;
}

export interface AttemptNode {
  readonly id: string;
  readonly kind: "step";
  readonly pipeline: string;
  readonly run: number;
  readonly runStatus: string;
  readonly step: string;
  /** Those of the step's that have to do with it here, as far as they are shown. */
  readonly partitions: readonly string[];
}

export interface LineageGraph extends SnapshotId {
  readonly nodes: readonly (SnapshotNode | AttemptNode)[];
  readonly edges: readonly { readonly from: string; readonly to: string }[];
  /** Whether there is more than is shown. */
  readonly isCut: boolean;
}

/** So many steps of pipelines each way. */
const LEVELS = 3;
const READERS_MAX = 12;
const NODES_MAX = 60;

export type Direction = "both" | "back" | "forward";

export async function nearLineage(database: Database, start: SnapshotId, direction: Direction): Promise<LineageGraph> {
  const graph = new Growing();
  await graph.addSnapshots(database, [start]);
  if (direction !== "forward") await growBack(database, graph, start);
  if (direction !== "back") await growForward(database, graph, start);
  return { ...start, ...graph.grown() };
}

async function growBack(database: Database, graph: Growing, start: SnapshotId): Promise<void> {
  let from: readonly SnapshotId[] = [start];
  for (let level = 0; level < LEVELS && from.length > 0; level++) {
    const makers = await makersOf(database, from);
    for (const maker of makers) graph.link(graph.addAttempt(maker), idOf(maker));
    from = await linkReads(database, graph, makers);
  }
  if (from.length > 0 && (await makersOf(database, from)).length > 0) graph.isCut = true;
}

async function growForward(database: Database, graph: Growing, start: SnapshotId): Promise<void> {
  let from: readonly SnapshotId[] = [start];
  for (let level = 0; level < LEVELS && from.length > 0; level++) {
    const readers = await readersOf(database, from, READERS_MAX + 1);
    if (from.some((one) => readers.filter((reader) => idOf(reader) === idOf(one)).length > READERS_MAX))
      graph.isCut = true;
    for (const reader of readers) graph.link(idOf(reader), graph.addAttempt(reader));
    await linkReads(database, graph, readers);
    const made = await snapshotsOfAttempts(database, readers, "made");
    from = await graph.addSnapshots(database, made);
    for (const one of made) graph.link(attemptId(one), idOf(one));
  }
  if (from.length > 0 && (await readersOf(database, from, 1)).length > 0) graph.isCut = true;
}

/** What attempts read, the others beside what led to them among it. @returns those that weren't there before. */
async function linkReads(
  database: Database,
  graph: Growing,
  attempts: readonly LinkedAttempt[],
): Promise<readonly SnapshotId[]> {
  const read = await snapshotsOfAttempts(database, attempts, "read");
  const added = await graph.addSnapshots(database, read);
  for (const one of read) graph.link(idOf(one), attemptId(one));
  return added;
}

/** Nodes and edges as they are found, each once, and no more than there is room for. */
class Growing {
  isCut = false;
  readonly #snapshots = new Map<string, SnapshotNode>();
  readonly #attempts = new Map<string, Omit<AttemptNode, "partitions"> & { readonly partitions: Set<string> }>();
  readonly #edges = new Map<string, { readonly from: string; readonly to: string }>();

  /** @returns those that are new. */
  async addSnapshots(database: Database, given: readonly SnapshotId[]): Promise<readonly SnapshotId[]> {
    const fresh = new Map<string, SnapshotId>();
    for (const { dataset, snapshot } of given) {
      const id = idOf({ dataset, snapshot });
      if (this.#snapshots.has(id) || fresh.has(id)) continue;
      if (this.#size + fresh.size >= NODES_MAX) this.isCut = true;
      else fresh.set(id, { dataset, snapshot });
    }
    if (fresh.size === 0) return [];
    const partitions = new Map(
      (await makersOf(database, [...fresh.values()])).map((maker) => [idOf(maker), maker.partition]),
    );
    for (const [id, one] of fresh)
      this.#snapshots.set(id, { id, kind: "snapshot", ...one, partition: partitions.get(id) ?? null });
    return [...fresh.values()];
  }

  addAttempt({ pipeline, run, runStatus, step, partition }: LinkedAttempt): string {
    const id = attemptId({ run, step });
    const known = this.#attempts.get(id);
    if (known !== undefined) known.partitions.add(partition);
    else if (this.#size >= NODES_MAX) this.isCut = true;
    else
      this.#attempts.set(id, {
        id,
        kind: "step",
        pipeline,
        run,
        runStatus,
        step,
        partitions: new Set([partition]),
      });
    return id;
  }

  link(from: string, to: string): void {
    this.#edges.set(`${from} ${to}`, { from, to });
  }

  grown(): Pick<LineageGraph, "nodes" | "edges" | "isCut"> {
    const attempts = [...this.#attempts.values()].map((node) => ({
      ...node,
      partitions: [...node.partitions].sort().filter((partition) => partition !== ""),
    }));
    const nodes = [...this.#snapshots.values(), ...attempts];
    const ids = new Set(nodes.map((node) => node.id));
    const edges = [...this.#edges.values()].filter(({ from, to }) => ids.has(from) && ids.has(to));
    return { nodes, edges, isCut: this.isCut };
  }

  get #size(): number {
    return this.#snapshots.size + this.#attempts.size;
  }
}

function idOf({ dataset, snapshot }: SnapshotId): string {
  return `${dataset}@${snapshot}`;
}

/** Partitions of a step in a run are one node. */
function attemptId({ run, step }: { readonly run: number; readonly step: string }): string {
  return `${run}/${step}`;
}
