/** What a request is answered with: a page or JSON, and errors as sentences in either. */
import type { Context } from "hono";
import type { ContentfulStatusCode } from "hono/utils/http-status";
import { loginHref } from "./look/addresses.ts";
import { OrcaError } from "../core/errors.ts";
import type { Frame } from "./look/frame.ts";
import { documentOf, type Shown } from "./look/shell.tsx";
import { DatabaseAwayPage, ErrorPage } from "./pages/error.tsx";

/** Whether who asks wants JSON: by `?format=json`, or an `Accept` that names it and not HTML. */
export function wantsJson(context: Context): boolean {
  const format = context.req.query("format");
  if (format !== undefined) return format === "json";
  const accept = context.req.header("accept") ?? "";
  return accept.includes("application/json") && !accept.includes("text/html");
}

export function pageAnswer(
  context: Context,
  shown: Shown,
  frame: Frame,
  assets: string,
  status: ContentfulStatusCode = 200,
): Response | Promise<Response> {
  return context.html(documentOf(shown, frame, assets), status);
}

/** Of what the server itself got wrong, nobody outside is told more. */
const FAULT = new OrcaError("usage", "this page couldn't be made: what went wrong is in the log of orca ui");

/** @param warn is told of what isn't the asker's mistake. */
export function errorAnswer(
  context: Context,
  error: unknown,
  frame: Frame,
  assets: string,
  warn: (sentence: string) => void,
): Response | Promise<Response> {
  const status = statusOf(error);
  const known = error instanceof OrcaError ? error : FAULT;
  if (status >= 500) warn(`${context.req.method} ${context.req.path}: ${(error as Error).message}`);
  if (status === 503) context.header("Retry-After", "5");
  if (wantsJson(context))
    return context.json({ error: { code: known === FAULT ? "internal" : known.code, message: known.message } }, status);
  if (known.code === "login-needed") return context.redirect(loginHref(cameFrom(context)), 303);
  const shown = status === 503 ? DatabaseAwayPage(known) : ErrorPage(status, known);
  return pageAnswer(context, shown, frame, assets, status);
}

/** The page of this site with the form. */
function cameFrom(context: Context): string {
  const from = context.req.header("referer") ?? "";
  if (!URL.canParse(from)) return "/";
  const { pathname, search } = new URL(from);
  return pathname + search;
}

function statusOf(error: unknown): ContentfulStatusCode {
  if (!(error instanceof OrcaError)) return 500;
  if (error.code.startsWith("unknown-")) return 404;
  if (error.code === "login-needed") return 401;
  if (error.code === "database-unreachable") return 503;
  if (error.code === "logs-unreachable") return 502;
  return 400;
}
