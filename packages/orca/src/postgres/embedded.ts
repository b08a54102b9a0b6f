/** A Postgres of one's own, in a folder: started by the first who opens it, shared by all, ended with the last. See docs/adr/0004. */
import { OrcaError } from "../core/errors.ts";
import { homeAt, joinGuardian, urlOf, type Home, type Joined } from "./join-guardian.ts";

/** How long a server goes on when its last user has gone: commands that follow each other find it running. */
export const LINGER_MS = 1000;
/** How often a user starts another guardian when its own is lost. */
const RESTARTS_MAX = 20;

/** This process's use of a server. */
export interface EmbeddedPostgres extends AsyncDisposable {
  /** For `pg` and for `psql`. It stays the same when the server is started again. */
  readonly url: string;
}

/**
 * Starts the server in a folder, or joins the one that runs there. It ends a second after its last user let go of it or was killed.
 * It doesn't keep the process from ending.
 *
 * A server that is killed is started again as long as it has users; their connections fail until it is there.
 *
 * @param folder is made if it isn't there. Relative to where the process is.
 * @throws OrcaError `embedded-postgres` with a sentence, which has what Postgres says.
 */
export async function openEmbedded(
  folder: string,
  { lingerMs = LINGER_MS }: { readonly lingerMs?: number } = {},
): Promise<EmbeddedPostgres> {
  return await explained(async () => {
    const home = homeAt(folder, { make: true });
    const use = new Use(home, lingerMs);
    await use.join();
    return use;
  });
}

/** @throws OrcaError `embedded-postgres` of any error that this folder's functions throw. */
export async function explained<T>(act: () => Promise<T>): Promise<T> {
  try {
    return await act();
  } catch (cause) {
    throw new OrcaError("embedded-postgres", (cause as Error).message, { cause });
  }
}

class Use implements EmbeddedPostgres {
  readonly url: string;
  readonly #home: Home;
  readonly #lingerMs: number;
  #joined: Joined | undefined;
  #restarts = 0;
  #isOver = false;

  constructor(home: Home, lingerMs: number) {
    this.#home = home;
    this.#lingerMs = lingerMs;
    this.url = urlOf(home);
  }

  async join(): Promise<void> {
    const joined = await joinGuardian(this.#home, "use", this.#lingerMs);
    this.#joined = joined;
    if (this.#isOver) return joined.visit.end();
    joined.visit.unref();
    void joined.visit.ended.then(async (last) => {
      if (this.#isOver || last?.state === "stopped" || this.#restarts++ === RESTARTS_MAX) return;
      await this.join().catch(() => undefined); // whoever asks the database something is told that it isn't there
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#isOver = true;
    this.#joined?.visit.end();
    await this.#joined?.visit.ended;
  }
}
