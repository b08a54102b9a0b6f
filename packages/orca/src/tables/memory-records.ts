/** The reads of a run that records nothing: a step's attempts read what its first one read. */
import type { Snapshot } from "../core/ctx.ts";
import { placeOf, type AttemptId } from "../core/journal.ts";
import type { TableRead, TableRecords } from "../core/table-records.ts";

export class MemoryTableRecords implements TableRecords {
  readonly #reads = new Map<string, Snapshot | undefined>();

  async read({ step, partition }: AttemptId, { dataset, snapshot }: TableRead): Promise<Snapshot | undefined> {
    const key = `${placeOf(step, partition)} ${dataset}`;
    if (!this.#reads.has(key)) this.#reads.set(key, snapshot);
    return this.#reads.get(key);
  }

  async committed(): Promise<void> {
    // the tables themselves say which commits a step has made
  }
}
