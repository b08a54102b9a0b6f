/** Logging in, and how often one may try. */
import { isIP } from "node:net";
import { recordAction } from "./actions.ts";
import type { Database } from "./database.ts";
import { isPassword } from "./passwords.ts";
import { openSession, type NewSession } from "./sessions.ts";
import { isUserName } from "./users.ts";

/** So many logins may fail of one name, and from one address, in so many seconds. */
const FAILURES_MAX = { name: 5, address: 20 };
const WINDOW_SECONDS = 15 * 60;
/** So many that are older are removed at a login. */
const PRUNED_MAX = 1_000;

export interface LoginAsked {
  /** As it was typed. */
  readonly name: string;
  readonly password: string;
  /** Of whoever asks, as IPv4 or IPv6. */
  readonly address: string;
}

export type Login =
  | ({ readonly kind: "logged-in"; readonly user: string } & NewSession)
  /** The name is no user's, or the password isn't theirs: nobody is told which. */
  | { readonly kind: "refused" }
  /** Too many have failed: the password wasn't looked at. */
  | { readonly kind: "throttled"; readonly retryAfterSeconds: number };

/** Opens a session for a user who knows their password. What comes of it is recorded. */
export async function logIn(database: Database, { name: typed, password, address }: LoginAsked): Promise<Login> {
  const lower = typed.trim().toLowerCase();
  const name = isUserName(lower) ? lower : null;
  const from = groupOf(address);
  const retryAfterSeconds = await beginLogin(database, name, from);
  if (retryAfterSeconds !== undefined) return { kind: "throttled", retryAfterSeconds };
  const [user] = await database.query<{ hash: string }>(HASH_OF, [name]);
  const isTheirs = await isPassword(database, password, user?.hash);
  return await database.transaction(async (client) => {
    const session = isTheirs ? await openSession(client, name!, user!.hash) : undefined;
    if (session !== undefined) await client.query("delete from orca.login_failures where name = $1", [name]);
    const action = session === undefined ? "fail-login" : "log-in";
    await recordAction(client, { actor: name ?? "(unknown)", action, detail: { address: from } });
    return session === undefined ? { kind: "refused" } : { kind: "logged-in", user: name!, ...session };
  });
}

const HASH_OF = { name: "hash-of-user", text: "select password_hash as hash from orca.users where name = $1" };

/**
 * Counts a login as one that fails, until it has succeeded: many at once would be counted too late else.
 *
 * @returns how long to wait, if too many have failed; then it isn't counted.
 */
async function beginLogin(database: Database, name: string | null, from: string): Promise<number | undefined> {
  return await database.transaction(async (client) => {
    for (const lock of [`address:${from}`, `name:${name}`]) await client.query(LOCK, [lock]);
    await client.query(PRUNE, [WINDOW_SECONDS, PRUNED_MAX]);
    const values = [name, from, WINDOW_SECONDS, FAILURES_MAX.name, FAILURES_MAX.address];
    const { rows } = await client.query<{ wait: number | null }>(WAIT, values);
    const { wait } = rows[0]!;
    if (wait !== null && wait > 0) return Math.ceil(wait);
    await client.query("insert into orca.login_failures (name, address) values ($1, $2)", [name, from]);
    return undefined;
  });
}

/** In one order by all: addresses first. */
const LOCK = "select pg_advisory_xact_lock(hashtextextended('orca.login:' || $1, 0))";
const PRUNE = `
  delete from orca.login_failures where id in (
    select id from orca.login_failures where at < clock_timestamp() - make_interval(secs => $1) order by at limit $2
    for update skip locked)`;
/** Until the oldest of the newest so many is out of the window. */
const WAIT = `
  select extract(epoch from greatest(
    (select at from orca.login_failures where name = $1 order by at desc offset $4 - 1 limit 1),
    (select at from orca.login_failures where address = $2 order by at desc offset $5 - 1 limit 1)
  ) + make_interval(secs => $3) - clock_timestamp())::float8 as wait`;

/** Those that one machine may choose from count as one: all of an IPv6 network of 64 bits. What is no address is one of its own. */
function groupOf(address: string): string {
  const plain = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1] ?? address.replace(/%.*$/, "");
  if (isIP(plain) === 0) return "0.0.0.0";
  if (isIP(plain) === 4) return plain;
  // a URL's host is the address in its one short form
  const groups = new URL(`http://[${plain}]`).hostname.slice(1, -1).split(":");
  const gap = groups.indexOf("");
  const whole = gap === -1 ? groups : [...groups.slice(0, gap), ...Array<string>(8).fill("0")];
  return `${whole.slice(0, 4).join(":")}::/64`;
}
