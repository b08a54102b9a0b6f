/** What a request's page shows around its content. */
import type { Context } from "hono";
import { getCookie, setCookie } from "hono/cookie";
import { lastScheduler } from "../state/schedulers.ts";
import type { Frame } from "./look/frame.ts";
import type { UiOptions } from "./app.ts";
import { themeOf } from "./theme.ts";
import { visitorOf } from "./session/visitor.ts";

/** Reads it. A database that is away makes no page fail for its frame alone. */
export async function readFrame(context: Context, options: UiOptions): Promise<Frame> {
  const { database, now, docsUrl, version } = options;
  const url = new URL(context.req.url);
  const [visitor, scheduler] = await Promise.all([
    visitorOf(context, options).catch(() => ({ user: undefined, mayAct: false })),
    lastScheduler(database).catch(() => null),
  ]);
  return {
    now: now(),
    path: url.pathname + url.search,
    theme: themeOf(context),
    ...visitor,
    scheduler,
    version,
    told: toldBefore(context),
    docsUrl,
  };
}

const TOLD = "orca_told";

/** What the action before this page came to, once: on the page that the action leads to, not in what the page before it fetches of itself meanwhile. */
function toldBefore(context: Context): string | undefined {
  if ((context.req.header("sec-fetch-mode") ?? "navigate") !== "navigate") return undefined;
  const told = getCookie(context, TOLD);
  if (told !== undefined) setCookie(context, TOLD, "", { path: "/", maxAge: 0, httpOnly: true, sameSite: "Strict" });
  return told;
}

/** Has the next page tell what an action came to. */
export function tellNext(context: Context, sentence: string): void {
  setCookie(context, TOLD, sentence, { path: "/", maxAge: 60, httpOnly: true, sameSite: "Strict" });
}
