/** Who asks: the user of the session that a cookie names, and whether they may act. */
import type { Context } from "hono";
import { deleteCookie, getCookie, setCookie } from "hono/cookie";
import { OrcaError } from "../../core/errors.ts";
import type { Database } from "../../state/database.ts";
import { findSession, type NewSession } from "../../state/sessions.ts";
import { hasUsers } from "../../state/users.ts";

export interface SessionOptions {
  readonly database: Database;
  /** Whether acting takes a login even while there is no user. */
  readonly isLoginRequired: boolean;
  /** Whether browsers are to show the session over HTTPS alone. */
  readonly hasSecureCookies: boolean;
}

export interface Visitor {
  /** Who is logged in. */
  readonly user: string | undefined;
  readonly mayAct: boolean;
}

/** On record for what somebody did where nobody needs a login. */
const ANYBODY = "(ui)";

export async function visitorOf(context: Context, options: SessionOptions): Promise<Visitor> {
  const token = tokenOf(context, options);
  const session = token === undefined ? undefined : await findSession(options.database, token);
  if (session !== undefined) return { user: session.user, mayAct: true };
  return { user: undefined, mayAct: !options.isLoginRequired && !(await hasUsers(options.database)) };
}

/** The name under which what is asked for goes on record. @throws OrcaError `login-needed` */
export async function actorOf(context: Context, options: SessionOptions): Promise<string> {
  const { user, mayAct } = await visitorOf(context, options);
  if (!mayAct) throw new OrcaError("login-needed", "acting here needs a login: log in, and do it again");
  return user ?? ANYBODY;
}

/** Of a request that comes with a session. */
export function tokenOf(context: Context, options: SessionOptions): string | undefined {
  return getCookie(context, nameOf(options));
}

export function setSession(context: Context, { token, expiresAt }: NewSession, options: SessionOptions): void {
  setCookie(context, nameOf(options), token, { ...attributes(options), expires: expiresAt });
}

export function forgetSession(context: Context, options: SessionOptions): void {
  deleteCookie(context, nameOf(options), attributes(options));
}

function attributes({ hasSecureCookies }: SessionOptions) {
  return { path: "/", httpOnly: true, sameSite: "Strict", secure: hasSecureCookies } as const;
}

/** Browsers take the prefix from this very host alone, over HTTPS: no other of its domain can plant a session. */
function nameOf({ hasSecureCookies }: SessionOptions): string {
  return hasSecureCookies ? "__Host-orca_session" : "orca_session";
}
