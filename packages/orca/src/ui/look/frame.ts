/** What every page shows around its own content. */

export interface Frame {
  /** The instant that the page is of. */
  readonly now: Date;
  /** The path and query that it was asked for. */
  readonly path: string;
  /** As chosen, or undefined for the system's. */
  readonly theme: "light" | "dark" | undefined;
  /** Who is logged in. */
  readonly user: string | undefined;
  /** Whether who asks may act. */
  readonly mayAct: boolean;
  /** The scheduler that ticked last, or undefined if none ever did; null where that can't be told. */
  readonly scheduler: { readonly host: string; readonly pid: number; readonly seenAt: Date } | null | undefined;
  readonly version: string;
  /** What an action came to, told once on the page after it. */
  readonly told: string | undefined;
  readonly docsUrl: string | undefined;
}

/** The pages that the top bar leads to. */
export type Place = "Pipelines" | "Runs" | "Datasets" | "Backfills" | "Rebuilds";
