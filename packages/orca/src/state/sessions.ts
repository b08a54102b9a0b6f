/** Sessions: the logins that go on. */
import { createHash, randomBytes } from "node:crypto";
import type pg from "pg";
import type { Database } from "./database.ts";

/** A session ends so long after it was last used, and in any case so long after its login. */
const IDLE_DAYS = 7;
const DAYS_MAX = 30;
/** How exactly it is known when one was last used: not each page that is read is a row that is written. */
const SEEN_SECONDS = 60;
/** Of a user; the oldest end. */
const SESSIONS_MAX = 100;
/** So many that are over are removed at a login. */
const PRUNED_MAX = 1_000;

export interface Session {
  readonly user: string;
  readonly createdAt: Date;
  readonly expiresAt: Date;
}

/** A new session, with the token by which its user is known; nobody can be told it again. */
export interface NewSession {
  readonly token: string;
  readonly expiresAt: Date;
}

/**
 * Opens a session in a transaction.
 *
 * @param passwordHash of the password that the user has shown: one that was changed or removed meanwhile opens nothing.
 * @returns undefined then.
 */
export async function openSession(
  client: pg.ClientBase,
  user: string,
  passwordHash: string,
): Promise<NewSession | undefined> {
  const { rowCount } = await client.query(STILL, [user, passwordHash]);
  if (rowCount === 0) return undefined;
  const token = randomBytes(32).toString("base64url");
  const { rows } = await client.query<{ expires: Date }>(OPEN, [hashOf(token), user, IDLE_DAYS]);
  await client.query(PRUNE, [PRUNED_MAX]);
  await client.query(END_OLDEST, [user, SESSIONS_MAX]);
  return { token, expiresAt: rows[0]!.expires };
}

/** Whoever changes the password waits, and ends this session too. */
const STILL = "select from orca.users where name = $1 and password_hash = $2 for share";
const OPEN = `
  insert into orca.sessions (token_hash, user_name, expires_at)
  values ($1, $2, clock_timestamp() + make_interval(days => $3)) returning expires_at as expires`;
const PRUNE = `
  delete from orca.sessions where token_hash in (
    select token_hash from orca.sessions where expires_at < clock_timestamp() order by expires_at limit $1
    for update skip locked)`;
const END_OLDEST = `
  delete from orca.sessions where token_hash in (
    select token_hash from orca.sessions where user_name = $1 order by created_at desc offset $2)`;

/** The session of a token, which goes on for longer with it; undefined if there is none, or none any more. */
export async function findSession(database: Database, token: string): Promise<Session | undefined> {
  if (!isToken(token)) return undefined;
  const [session] = await database.query<Session>(FIND, [hashOf(token), SEEN_SECONDS, IDLE_DAYS, DAYS_MAX]);
  return session;
}

const FIND = {
  name: "find-session",
  text: `
    with seen as (
      update orca.sessions set seen_at = clock_timestamp(), expires_at = least(
        clock_timestamp() + make_interval(days => $3), created_at + make_interval(days => $4))
      where token_hash = $1 and expires_at > clock_timestamp()
        and seen_at < clock_timestamp() - make_interval(secs => $2)
      returning expires_at
    )
    select user_name as "user", created_at as "createdAt", coalesce((select expires_at from seen), expires_at) as "expiresAt"
    from orca.sessions where token_hash = $1 and expires_at > clock_timestamp()`,
};

/** Ends the session of a token, if it goes on. */
export async function endSession(database: Database, token: string): Promise<void> {
  if (isToken(token)) await database.query(END, [hashOf(token)]);
}

const END = { name: "end-session", text: "delete from orca.sessions where token_hash = $1" };

function isToken(text: string): boolean {
  return /^[\w-]{43}$/.test(text);
}

/** A token has as many random bits as its hash: nothing is to be tried that would make it worth to hash it slowly. */
function hashOf(token: string): Buffer {
  return createHash("sha256").update(token).digest();
}
