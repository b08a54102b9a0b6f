/** The users who may act in the UI. */
import { OrcaError } from "../core/errors.ts";
import { nearest } from "../core/nearest.ts";
import { recordAction } from "./actions.ts";
import type { Database } from "./database.ts";
import { hashOfPassword } from "./passwords.ts";

/** So many are listed. */
const USERS_MAX = 10_000;

export interface User {
  readonly name: string;
  readonly createdAt: Date;
  /** When the password was set. */
  readonly changedAt: Date;
  /** How many sessions go on, and when one of them was last used. */
  readonly sessions: number;
  readonly seenAt: Date | null;
}

export interface UserChange {
  readonly name: string;
  /** Who does it. */
  readonly actor: string;
}

/** @throws OrcaError `invalid-user` if the name or the password breaks a rule; `user-exists`. */
export async function addUser(
  database: Database,
  { name, password, actor }: UserChange & { readonly password: string },
): Promise<void> {
  checkUserName(name);
  const hash = await hashOfPassword(database, password);
  await database.transaction(async (client) => {
    const { rowCount } = await client.query(ADD, [name, hash]);
    if (rowCount === 1) return await recordAction(client, { actor, action: "add-user", detail: { user: name } });
    const { rows } = await client.query<{ mine: boolean }>(IS_MINE, [name, hash]); // the reply was lost
    if (rows[0]?.mine !== true)
      throw new OrcaError(
        "user-exists",
        `there is a user '${name}' already: orca user passwd ${name} gives them another password`,
      );
  });
}

const ADD = "insert into orca.users (name, password_hash) values ($1, $2) on conflict do nothing";
const IS_MINE = "select password_hash = $2 as mine from orca.users where name = $1";

/**
 * Gives a user another password, and ends their sessions.
 *
 * @returns how many sessions there were.
 * @throws OrcaError `invalid-user` if the password breaks a rule; `unknown-user`.
 */
export async function changePassword(
  database: Database,
  { name, password, actor }: UserChange & { readonly password: string },
): Promise<number> {
  const hash = await hashOfPassword(database, password);
  return await database.transaction(async (client) => {
    const { rowCount } = await client.query(CHANGE, [name, hash]);
    if (rowCount === 0) throw await unknownUser(database, name);
    const ended = await client.query("delete from orca.sessions where user_name = $1", [name]);
    await recordAction(client, { actor, action: "change-password", detail: { user: name } });
    return ended.rowCount ?? 0;
  });
}

const CHANGE = "update orca.users set password_hash = $2, changed_at = clock_timestamp() where name = $1";

/**
 * Removes a user, and ends their sessions. What they did stays on record.
 *
 * @returns how many sessions there were.
 * @throws OrcaError `unknown-user`
 */
export async function removeUser(database: Database, { name, actor }: UserChange): Promise<number> {
  return await database.transaction(async (client) => {
    await client.query("select from orca.users where name = $1 for update", [name]); // has logins wait
    const ended = await client.query("delete from orca.sessions where user_name = $1", [name]);
    const { rowCount } = await client.query("delete from orca.users where name = $1", [name]);
    if (rowCount === 0) throw await unknownUser(database, name);
    await recordAction(client, { actor, action: "remove-user", detail: { user: name } });
    return ended.rowCount ?? 0;
  });
}

/** All users, by name. */
export async function listUsers(database: Database): Promise<readonly User[]> {
  return await database.query<User>(LIST, [USERS_MAX]);
}

const LIST = {
  name: "list-users",
  text: `
    select u.name, u.created_at as "createdAt", u.changed_at as "changedAt", s.sessions, s.seen_at as "seenAt"
    from (select * from orca.users order by name limit $1) u cross join lateral (
      select count(*)::int as sessions, max(seen_at) as seen_at from orca.sessions
      where user_name = u.name and expires_at > clock_timestamp()) s
    order by u.name`,
};

/** Whether there is a user: where there is none, whoever reaches the UI may act in it. */
export async function hasUsers(database: Database): Promise<boolean> {
  const [row] = await database.query<{ has: boolean }>(HAS, []);
  return row!.has;
}

const HAS = { name: "has-users", text: "select exists (select from orca.users) as has" };

/** Whether a user may have a name. */
export function isUserName(name: string): boolean {
  return /^[a-z0-9][a-z0-9._@+-]{0,63}$/.test(name);
}

function checkUserName(name: string): void {
  if (isUserName(name)) return;
  throw new OrcaError(
    "invalid-user",
    `'${name}' can't be a user's name: it takes small letters and digits, and then also . _ @ + and -, 64 characters in all`,
  );
}

async function unknownUser(database: Database, name: string): Promise<OrcaError> {
  const meant = nearest(
    name,
    (await listUsers(database)).map((user) => user.name),
  );
  const todo = meant === undefined ? "orca user list shows those that there are" : `did you mean '${meant}'?`;
  return new OrcaError("unknown-user", `there is no user '${name}': ${todo}`);
}
