/** A server in a folder, as `orca postgres` handles it. */
import { existsSync } from "node:fs";
import { explained, LINGER_MS } from "./embedded.ts";
import { askGuardian, homeAt, joinGuardian, urlOf } from "./join-guardian.ts";

export interface ServerState {
  readonly url: string;
  /** How many use it at present. */
  readonly users: number;
  /** Whether it goes on without users. */
  readonly isKept: boolean;
}

/** Starts the server in a folder, or joins the one that runs there, and has it go on until it is stopped. @throws as `openEmbedded`. */
export async function keepServer(folder: string): Promise<ServerState> {
  return await explained(async () => {
    const home = homeAt(folder, { make: true });
    const { visit, answer } = await joinGuardian(home, "keep", LINGER_MS);
    visit.end();
    return { url: urlOf(home), users: answer.users, isKept: true };
  });
}

/** The server that runs in a folder; undefined if none does. @throws as `openEmbedded`. */
export async function serverState(folder: string): Promise<ServerState | undefined> {
  return await explained(async () => {
    if (!existsSync(folder)) return undefined;
    const home = homeAt(folder, { make: false });
    const found = await askGuardian(home, "look");
    found?.visit.end();
    return found?.answer.state === "ready"
      ? { url: urlOf(home), users: found.answer.users, isKept: found.answer.isKept }
      : undefined;
  });
}

/** Stops the server in a folder, also if it is used. @returns how many used it; undefined if none ran. @throws as `openEmbedded`. */
export async function stopServer(folder: string): Promise<number | undefined> {
  return await explained(async () => {
    if (!existsSync(folder)) return undefined;
    const found = await askGuardian(homeAt(folder, { make: false }), "stop");
    await found?.visit.ended;
    return found?.answer.users;
  });
}
