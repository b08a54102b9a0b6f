/** Rows to come, of tables in a warehouse: what scans and queries return. */
import { type Engine, type Field, type PreparedQuery, Relation } from "@orcajs/iceberg";
import type { Snapshot } from "../../core/ctx.ts";
import type { Row } from "../../core/sql/relation.ts";
import type { TableFile } from "../../core/table-files.ts";
import { checkColumns } from "../declared.ts";
import { asSqlMisfit } from "./sql-misfit.ts";

type Preparing = Parameters<Relation["prepare"]>;
type Reading = NonNullable<Parameters<Relation["rows"]>[0]>;

/** A relation that is found when its rows are asked for, and is interrupted with its attempt. */
export class StepRelation extends Relation {
  readonly #found: () => Promise<Relation>;
  readonly #signal: AbortSignal;
  readonly #parts: readonly StepRelation[];

  /** @param parts the scans and queries that it is made of. */
  constructor(
    engine: Engine,
    signal: AbortSignal,
    found: () => Promise<Relation>,
    parts: readonly StepRelation[] = [],
  ) {
    super(engine);
    this.#found = found;
    this.#signal = signal;
    this.#parts = parts;
  }

  /** Pins the snapshots that will be read: all that a commit of the rows is made from is known then. */
  async pin(): Promise<void> {
    for (const part of this.#parts) await part.pin();
  }

  override async prepare(...[connection, options]: Preparing): Promise<PreparedQuery> {
    return await (await this.#found()).prepare(connection, options);
  }

  override rows({ signal = this.#signal }: Reading = {}): AsyncGenerator<Row, void, void> {
    return super.rows({ signal });
  }

  protected override errorOf(error: unknown): unknown {
    return asSqlMisfit(error);
  }

  protected override async fields(): Promise<readonly Field[] | undefined> {
    const found: Relation & { readonly schema?: { readonly fields: readonly Field[] } } = await this.#found();
    return found.schema?.fields;
  }
}

/** The rows of a table at the snapshot that its step reads, and what that is. */
export interface Pinned {
  readonly snapshot: Snapshot | undefined;
  readonly rows: Relation;
}

/** What a scan reads of a dataset. */
export interface Selection {
  /** Default: all. */
  readonly columns?: readonly string[] | undefined;
  /** What the rows equal. Default: all rows. */
  readonly where?: Row | undefined;
}

/** Where a scan's rows and files come from. The snapshot is pinned when one of them is first asked for. */
export interface PinnedSource {
  rows(selection: Selection): Promise<Pinned>;
  files(): Promise<readonly TableFile[]>;
}

/** A dataset's rows at a pinned snapshot. */
export class PinnedScan extends StepRelation {
  readonly #signal: AbortSignal;
  readonly #source: PinnedSource;
  /** The columns that there are, if that is known. */
  readonly #known: readonly string[] | undefined;
  readonly #selection: Selection;

  constructor(
    engine: Engine,
    signal: AbortSignal,
    source: PinnedSource,
    known: readonly string[] | undefined,
    selection: Selection = {},
  ) {
    super(engine, signal, async () => (await source.rows(selection)).rows);
    this.#signal = signal;
    this.#source = source;
    this.#known = known;
    this.#selection = selection;
  }

  override async pin(): Promise<void> {
    await this.#source.rows(this.#selection);
  }

  async snapshot(): Promise<Snapshot | undefined> {
    return (await this.#source.rows(this.#selection)).snapshot;
  }

  async files(): Promise<readonly TableFile[]> {
    return await this.#source.files();
  }

  /** @throws OrcaError `invalid-dataset` for one that isn't there. */
  columns(...names: readonly string[]): PinnedScan {
    checkColumns(this.#known, names);
    return new PinnedScan(this.engine, this.#signal, this.#source, names, { ...this.#selection, columns: names });
  }
}
