/** What keeps other sites out of the pages, and the pages' scripts to their own. */
import { isIP } from "node:net";
import { hostname } from "node:os";
import type { Hono } from "hono";
import { bodyLimit } from "hono/body-limit";
import { OrcaError } from "../core/errors.ts";

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

/** Nothing that a page posts is longer. */
const BODY_MAX = 1_000_000;

/**
 * Puts headers on every answer, and refuses requests that other sites make. Pages aren't kept by caches; what is kept says so itself.
 *
 * @param publicUrl the public address, if there is one: requests may come from its pages.
 */
export function protect(app: Hono, publicUrl: string | undefined): void {
  app.use(async (context, next) => {
    await next();
    for (const [name, value] of Object.entries(HEADERS)) context.header(name, value);
    if (!context.res.headers.has("Cache-Control")) context.header("Cache-Control", "no-store");
  });
  app.use(async (context, next) => {
    const { method, raw } = context.req;
    if (!isForHere(raw.headers, publicUrl))
      throw refused("this server isn't known by that name: if it is to be, set ORCA_UI_URL to its public address");
    if (method !== "GET" && method !== "HEAD" && !isFromHere(raw.headers, publicUrl))
      throw refused("this request doesn't come from a page of this site, so nothing is done");
    await next();
  });
  const onError = () => {
    throw refused("what was sent is too long");
  };
  app.use(bodyLimit({ maxSize: BODY_MAX, onError }));
}

function refused(sentence: string): OrcaError {
  return new OrcaError("usage", sentence);
}

/**
 * Whether a request is for this server by a name that is its own: an address, this machine's name, or its public address. Another site's name that is
 * made to lead here would have that site's pages count as this one's.
 *
 * @param publicUrl the public address, if there is one.
 */
function isForHere(headers: Headers, publicUrl: string | undefined): boolean {
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
function isFromHere(headers: Headers, publicUrl: string | undefined): boolean {
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
