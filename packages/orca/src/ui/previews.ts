/** First rows of datasets, as they were read last: one process at a time reads them, and none because a page is looked at. */
import { OrcaError } from "../core/errors.ts";
import type { TablePreview } from "../core/table-preview.ts";

export type ReadPreview = (dataset: string) => Promise<TablePreview>;

/** What came of reading. */
export interface Preview {
  readonly at: Date;
  readonly tookMs: number;
  readonly table: TablePreview | null;
  /** Why there is none. */
  readonly error: string | null;
}

const WAITING_MAX = 5;
const REMEMBERED_MAX = 50;

export class Previews {
  readonly #read: ReadPreview | undefined;
  readonly #now: () => Date;
  readonly #remembered = new Map<string, Preview>();
  readonly #waiting = new Map<string, Promise<void>>();
  #last: Promise<void> = Promise.resolve();

  /** @param read by a process of its own; undefined where nothing can. */
  constructor(read: ReadPreview | undefined, now: () => Date) {
    this.#read = read;
    this.#now = now;
  }

  get canRead(): boolean {
    return this.#read !== undefined;
  }

  /** What was read last, if anything was. */
  of(dataset: string): Preview | undefined {
    return this.#remembered.get(dataset);
  }

  /** Settles when it is read, or known that it can't be. @throws OrcaError `usage` if too many are being read. */
  async read(dataset: string): Promise<void> {
    const waiting = this.#waiting.get(dataset);
    if (waiting !== undefined) return await waiting;
    if (this.#read === undefined) throw new OrcaError("usage", "this server reads no tables");
    if (this.#waiting.size >= WAITING_MAX)
      throw new OrcaError("usage", "several datasets are being read: try again in a few seconds");
    const reading = this.#last.then(() => this.#readNow(dataset, this.#read!));
    this.#waiting.set(dataset, reading);
    this.#last = reading;
    await reading.finally(() => this.#waiting.delete(dataset));
  }

  async #readNow(dataset: string, read: ReadPreview): Promise<void> {
    const begin = performance.now();
    const table = await read(dataset).catch((error: unknown) => error as Error);
    const isRead = !(table instanceof Error);
    this.#remembered.delete(dataset);
    this.#remembered.set(dataset, {
      at: this.#now(),
      tookMs: Math.round(performance.now() - begin),
      table: isRead ? table : null,
      error: isRead ? null : table.message,
    });
    if (this.#remembered.size > REMEMBERED_MAX) this.#remembered.delete(this.#remembered.keys().next().value!);
  }
}
