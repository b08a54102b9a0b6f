/** What a request's page shows around its content. */
import type { Context } from "hono";
import { getCookie, setCookie } from "hono/cookie";
import { lastScheduler } from "../state/schedulers.ts";
import type { Frame } from "./look/frame.ts";
import type { UiOptions } from "./app.ts";

/** Reads it. A database that is away makes no page fail for its frame alone. */
export async function readFrame(context: Context, { database, now, docsUrl, version }: UiOptions): Promise<Frame> {
  const url = new URL(context.req.url);
  return {
    now: now(),
    path: url.pathname + url.search,
    theme: themeOf(context),
    user: undefined,
    mayAct: true,
    scheduler: await lastScheduler(database).catch(() => undefined),
    version,
    told: toldBefore(context),
    docsUrl,
  };
}

/** The theme that was chosen. */
function themeOf(context: Context): Frame["theme"] {
  const theme = getCookie(context, "orca_theme");
  return theme === "light" || theme === "dark" ? theme : undefined;
}

const TOLD = "orca_told";

/** What the action before this page came to, once. */
function toldBefore(context: Context): string | undefined {
  const told = getCookie(context, TOLD);
  if (told !== undefined) setCookie(context, TOLD, "", { path: "/", maxAge: 0, httpOnly: true, sameSite: "Strict" });
  return told;
}

/** Has the next page tell what an action came to. */
export function tellNext(context: Context, sentence: string): void {
  setCookie(context, TOLD, sentence, { path: "/", maxAge: 60, httpOnly: true, sameSite: "Strict" });
}
