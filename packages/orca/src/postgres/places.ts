/** What is where in the folder of an embedded server. Nothing else may be in it. */
import { join } from "node:path";

/** Postgres's data folder, which only the account that it runs as may enter: its socket is in it as well. */
export function dataOf(home: string): string {
  return join(home, "data");
}

/** What Postgres and the guardian say, of which the last {@link LOG_BYTES_MAX} or more are kept. */
export function logOf(home: string): string {
  return join(home, "server.log");
}

/** The log before that. */
export function oldLogOf(home: string): string {
  return join(home, "server.old.log");
}

/** A log that is longer becomes the old one. */
export const LOG_BYTES_MAX = 1 << 20;

/** The guardian's code, where it comes from a built file. */
export function guardianOf(home: string): string {
  return join(home, "guardian.mjs");
}

/** What names of folders in which a cluster is made begin with. */
export const UNFINISHED = "unfinished-";

/** What names of the guardians' sockets begin with. */
export const SOCKET = "guardian-";

/** Whether a name is of something that Orca puts into the folder. */
export function isOurs(name: string): boolean {
  return (
    /^(data|server(\.old)?\.log|guardian\.mjs|lost\+found)$/.test(name) ||
    name.startsWith(UNFINISHED) ||
    name.startsWith(SOCKET)
  );
}
