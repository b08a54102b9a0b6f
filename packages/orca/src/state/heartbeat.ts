/** Keeps a run this process's: writes its heartbeat on a connection of its own, and hears when it is lost or to be cancelled. */
import pg from "pg";
import { connectionTo } from "./database.ts";
import type { OwnedRun } from "./runs.ts";

/** Heartbeats in the time after which a run counts as stale: some may fail. */
const BEATS_PER_STALE = 6;

export interface HeartbeatListener {
  /** The run's cancellation was asked for; told once. */
  cancelAsked(): void;
  /** Another process has the run; told once. */
  lost(): void;
}

/** Beats until it is disposed. What fails is tried again at the next beat: a run whose database is out of reach goes stale by itself. */
export class Heartbeat implements AsyncDisposable {
  readonly #url: string;
  readonly #run: number;
  readonly #owners: string[];
  readonly #listener: HeartbeatListener;
  readonly #timer: NodeJS.Timeout;
  #client: Promise<pg.Client> | undefined;
  #isBeating = false;
  /** Something was told of the run while it beat: the beat may not have seen it. */
  #isBeatDue = false;
  #isTold = { cancel: false, lost: false };

  /** @param url of the database. */
  constructor(url: string, { id, owner }: OwnedRun, staleMs: number, listener: HeartbeatListener) {
    this.#url = url;
    this.#run = id;
    this.#owners = [owner];
    this.#listener = listener;
    this.#timer = setInterval(() => void this.#beat(), staleMs / BEATS_PER_STALE);
    void this.#beat();
  }

  /** The run is also this process's when that owner has it, which it is going to be passed to. */
  addOwner(owner: string): void {
    this.#owners.push(owner);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    clearInterval(this.#timer);
    const client = await this.#client?.catch(() => undefined);
    await client?.end().catch(() => {});
  }

  async #beat(): Promise<void> {
    if (this.#isBeating) return;
    this.#isBeating = true;
    this.#isBeatDue = false;
    try {
      this.#client ??= this.#connect();
      const client = await this.#client;
      const { rows } = await client.query<{ cancelled: boolean }>({ ...BEAT, values: [this.#run, this.#owners] });
      this.#hear(rows[0]);
    } catch {
      this.#drop();
    }
    this.#isBeating = false;
    if (this.#isBeatDue) await this.#beat();
  }

  #hear(row: { readonly cancelled: boolean } | undefined): void {
    if (row === undefined && !this.#isTold.lost) {
      this.#isTold.lost = true;
      this.#listener.lost();
    } else if (row?.cancelled && !this.#isTold.cancel) {
      this.#isTold.cancel = true;
      this.#listener.cancelAsked();
    }
  }

  async #connect(): Promise<pg.Client> {
    const client = new pg.Client({ ...connectionTo(this.#url), query_timeout: 10_000 });
    client.on("error", () => this.#drop());
    client.on("notification", ({ payload }) => {
      if (payload !== `run:${this.#run}`) return;
      this.#isBeatDue = true;
      void this.#beat();
    });
    await client.connect();
    await client.query("listen orca");
    return client;
  }

  #drop(): void {
    const client = this.#client;
    this.#client = undefined;
    client?.then((c) => c.end()).catch(() => {});
  }
}

/** No row if the run is another's: also one that this process has ended or left, after which it beats no more. */
const BEAT = {
  name: "beat",
  text: `
    update orca.heartbeats h set at = clock_timestamp() from orca.runs r
    where h.run = $1 and r.id = h.run and r.owner = any($2::uuid[]) returning r.cancel_asked_at is not null as cancelled`,
};
