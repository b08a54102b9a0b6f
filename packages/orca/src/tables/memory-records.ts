/** The reads of a run that records nothing: a step's attempts read what its first one read. */
import type { Snapshot } from "../core/ctx.ts";
import { placeOf, type AttemptId } from "../core/journal.ts";
import type { TableRead, TableRecords } from "../core/table-records.ts";

export class MemoryTableRecords implements TableRecords {
  /** The snapshots by datasets, by steps and partitions. */
  readonly #reads = new Map<string, Map<string, Snapshot | undefined>>();

  async read({ step, partition }: AttemptId, { dataset, snapshot }: TableRead): Promise<Snapshot | undefined> {
    const place = placeOf(step, partition);
    const reads = this.#reads.get(place) ?? new Map<string, Snapshot | undefined>();
    this.#reads.set(place, reads);
    if (!reads.has(dataset)) reads.set(dataset, snapshot);
    return reads.get(dataset);
  }

  async committed(): Promise<void> {
    // the tables themselves say which commits a step has made
  }

  release(step: string, partition: string | undefined): void {
    this.#reads.delete(placeOf(step, partition));
  }
}
