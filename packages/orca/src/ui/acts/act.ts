/** What a page's form asks for. It writes rows, which a scheduler carries out: no act starts a program. */
import type { Query } from "../query.ts";
import type { Source } from "../view.ts";

/** One request for an act. */
export interface ActAsked extends Source {
  /** The parts of the path that have names. */
  readonly part: (name: string) => string;
  readonly form: Query;
  /** Who asks, for the record. */
  readonly actor: string;
}

/** What came of it. */
interface Done {
  /** A sentence for whoever asked: what has been noted, not what is hoped for. */
  readonly told: string;
  /** The path of the page that shows it. */
  readonly to: string;
}

export interface Act {
  /** As Hono takes paths. */
  readonly path: string;
  /** @throws OrcaError for what can't be done, with the reason. */
  readonly act: (asked: ActAsked) => Promise<Done>;
}
