/** What keeps other sites out of the pages, and the pages' scripts to their own. */
import { isIP } from "node:net";
import { hostname } from "node:os";
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
 * Whether a request is for this server by a name that is its own: an address, this machine's name, or its public address. Another site's name that is
 * made to lead here would have that site's pages count as this one's.
 *
 * @param publicUrl the public address, if there is one.
 */
export function isForHere(headers: Headers, publicUrl: string | undefined): boolean {
  const host = headers.get("host");
  if (host === null || !URL.canParse(`http://${host}`)) return false;
  const { hostname: name, host: given } = new URL(`http://${host}`);
  if (isIP(name.replace(/^\[|\]$/g, "")) !== 0) return true;
  if (name === "localhost" || name.endsWith(".localhost") || name === hostname().toLowerCase()) return true;
  return publicUrl !== undefined && URL.canParse(publicUrl) && new URL(publicUrl).host === given;
}

/**
 * Whether a request that changes something comes from a page of this site: by its `Origin`, or `Referer` without one.
 *
 * @param publicUrl as of `isForHere`.
 */
export function isFromHere(headers: Headers, publicUrl: string | undefined): boolean {
  const from = headers.get("origin") ?? headers.get("referer");
  const host = headers.get("host");
  if (from === null || !URL.canParse(from)) return false;
  const url = new URL(from);
  return (
    url.host === host ||
    (publicUrl !== undefined && URL.canParse(publicUrl) && new URL(publicUrl).origin === url.origin)
  );
}

/** A path of this site that a form or a link names to go back to, or the first page. */
export function pathWithin(given: unknown): string {
  return typeof given === "string" && /^\/(?![/\\])[\u0021-\u007e]*$/.test(given) ? given : "/";
}
