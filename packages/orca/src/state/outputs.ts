/** The outputs of a run's steps, which later ones take: the last ones from memory, others from Postgres. */
import { placeOf } from "../core/journal.ts";
import { Batches } from "./batches.ts";
import type { Database } from "./database.ts";

/** Of the texts that are kept, in UTF-16 units: a step follows soon after the one whose output it takes. */
const KEPT_MAX = 16_000_000;
const READING = { lanes: 2, size: 64 };

interface Place {
  readonly step: string;
  readonly partition: string;
}

export class Outputs {
  readonly #database: Database;
  readonly #run: number;
  readonly #recorded: () => Promise<unknown>;
  readonly #kept = new Map<string, string>();
  #keptLength = 0;
  readonly #reads: Batches<Place, string>;

  /** @param recorded settled once all that the journal was told is recorded: what isn't kept can be read then. */
  constructor(database: Database, run: number, recorded: () => Promise<unknown>) {
    this.#database = database;
    this.#run = run;
    this.#recorded = recorded;
    this.#reads = new Batches(READING, (places) => this.#read(places));
  }

  /** Keeps one that was recorded, as long as there is room. */
  keep(step: string, partition: string, output: string): void {
    this.#kept.set(placeOf(step, partition), output);
    this.#keptLength += output.length;
    for (const [place, oldest] of this.#kept) {
      if (this.#keptLength <= KEPT_MAX) break;
      this.#kept.delete(place);
      this.#keptLength -= oldest.length;
    }
  }

  /** @param partition `""` of a gather step. */
  one(step: string, partition: string): string | Promise<string> {
    return this.#kept.get(placeOf(step, partition)) ?? this.#reads.add({ step, partition });
  }

  /** Those of all partitions, in the order of `keys`. */
  async all(step: string, keys: readonly string[]): Promise<readonly string[]> {
    await this.#recorded();
    const rows = await this.#database.query<{ partition: string; output: string }>(ALL, [this.#run, step]);
    const byKey = new Map(rows.map((row) => [row.partition, row.output]));
    return keys.map((key) => byKey.get(key) ?? missing(step, key));
  }

  async #read(places: readonly Place[]): Promise<readonly string[]> {
    await this.#recorded();
    const values = [this.#run, places.map((p) => p.step), places.map((p) => p.partition)];
    const rows = await this.#database.query<{ output: string | null }>(SOME, values);
    return rows.map(({ output }, i) => output ?? missing(places[i]!.step, places[i]!.partition));
  }
}

function missing(step: string, partition: string): never {
  throw new Error(`no output of ${placeOf(step, partition)} is recorded`);
}

const ALL = {
  name: "outputs-of-step",
  text: "select partition, output from orca.steps where run = $1 and step = $2 and status = 'succeeded'",
};
const SOME = {
  name: "outputs",
  text: `
    select (
      select s.output from orca.steps s
      where s.run = $1 and s.step = t.step collate "C" and s.partition = t.partition collate "C"
    ) as output
    from unnest($2::text[], $3::text[]) with ordinality as t (step, partition, n) order by t.n`,
};
