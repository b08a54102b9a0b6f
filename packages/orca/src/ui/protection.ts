/** What keeps other sites out of the pages, and the pages' scripts to their own. */
import type { MiddlewareHandler } from "hono";

const CONTENT_POLICY = [
  "default-src 'none'",
  "style-src 'self'",
  "script-src 'self'",
  "img-src 'self'",
  "connect-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join("; ");

const HEADERS: Readonly<Record<string, string>> = {
  "Content-Security-Policy": CONTENT_POLICY,
  "Cross-Origin-Opener-Policy": "same-origin",
  "Cross-Origin-Resource-Policy": "same-origin",
  "Referrer-Policy": "same-origin",
  "X-Content-Type-Options": "nosniff",
  "X-Frame-Options": "DENY",
};

/** Headers on every answer. Pages aren't kept by caches; what is kept says so itself. */
export const protect: MiddlewareHandler = async (context, next) => {
  await next();
  for (const [name, value] of Object.entries(HEADERS)) context.header(name, value);
  if (!context.res.headers.has("Cache-Control")) context.header("Cache-Control", "no-store");
};

/**
 * Whether a request that changes something comes from a page of this site: by its `Origin`, or `Referer` without one.
 *
 * @param own the public addresses of this server besides the one that it was asked at.
 */
export function isFromHere(headers: Headers, own: readonly string[]): boolean {
  const from = headers.get("origin") ?? headers.get("referer");
  const host = headers.get("host");
  if (from === null || !URL.canParse(from)) return false;
  const url = new URL(from);
  return url.host === host || own.some((address) => URL.canParse(address) && new URL(address).origin === url.origin);
}
