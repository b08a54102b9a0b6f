/** The tables of a seed: a source that others append to, and what runs make of it. */
import type { Catalog } from "@orcajs/iceberg";
import type { ChaosDatabase } from "../database.ts";
import { brokenContents } from "./contents.ts";
import { brokenOrphans } from "./orphans.ts";
import { brokenRecords } from "./records.ts";
import { brokenRows } from "./rows.ts";
import type { Guard, Store, StoreGate } from "./store.ts";

/** The source has so many rows a day, for a month. */
const ROWS_OF_DAY = 4;
const DAYS = 31;

export class Lake implements AsyncDisposable {
  readonly catalog: Catalog;
  readonly #store: Store;
  readonly #name: string;
  #changes = 0;
  /** How many requests to the store failed by the suite's doing. */
  faults = 0;
  /** How many files were left that no table has. */
  orphans = 0;

  private constructor(store: Store, name: string) {
    this.#store = store;
    this.#name = name;
    this.catalog = store.open(name);
  }

  /** Makes the source. @param name of a lake that isn't there yet. */
  static async create(store: Store, name: string): Promise<Lake> {
    const lake = new Lake(store, name);
    await lake.catalog.createNamespace("lake");
    const source = await lake.catalog.createTable("lake.source", { columns: { day: "date", n: "long" } });
    const days = Array.from({ length: DAYS }, (_, i) => `2024-01-${String(i + 1).padStart(2, "0")}`);
    await source.append(days.flatMap((day) => Array.from({ length: ROWS_OF_DAY }, (_, n) => ({ day, n }))));
    return lake;
  }

  async guard(gate: StoreGate): Promise<Guard> {
    return await this.#store.guard(this.#name, async (request, side) => {
      const fault = await gate(request, side);
      if (fault !== undefined) this.faults++;
      return fault;
    });
  }

  /** Another writer appends rows of a day that no run has, to the source and to what runs made, and rewrites manifests. */
  async change(): Promise<void> {
    const n = ++this.#changes;
    const source = await this.catalog.loadTable("lake.source");
    await source.append([{ day: "1999-01-01", n }]);
    if (!(await this.catalog.listTables("lake")).includes("lake.raw")) return;
    const raw = await this.catalog.loadTable("lake.raw");
    await raw.append([{ day: "1999-01-01", n, part: 3, seen: 0 }]);
    await raw.maintenance.rewriteManifests();
  }

  /** What is broken once a run over so many days has succeeded. */
  async broken(database: ChaosDatabase, days: number): Promise<readonly string[]> {
    const records = await brokenRecords(this.catalog, database);
    const rows = [...(await brokenRows(this.catalog, days)), ...(await brokenContents(this.catalog, database))];
    const own = this.#store.ownFiles(this.#name);
    const { orphans, broken } = await brokenOrphans(this.catalog, own, await this.#causes(database));
    this.orphans = orphans;
    await this.change(); // what was left is in nobody's way
    return [...records, ...rows, ...broken, ...(await brokenRows(this.catalog, days))];
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.catalog[Symbol.asyncDispose]();
  }

  /** How often files may have been left: by attempts that ended otherwise than by success, and by deletions that failed. */
  async #causes(database: ChaosDatabase): Promise<number> {
    const [row] = await database.sql<{ failed: number }>(
      "select count(*)::int as failed from orca.attempts where status <> 'succeeded'",
    );
    return row!.failed + this.faults;
  }
}
