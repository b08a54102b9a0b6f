/** Where a request comes from. */
import { getConnInfo } from "@hono/node-server/conninfo";
import type { Context } from "hono";

/**
 * The address of whoever asks: of the connection, or, behind a proxy that is trusted, the last that `X-Forwarded-For` names: the one that the
 * proxy itself added. What is before it is anybody's say.
 */
export function addressOf(context: Context, trustsProxy: boolean): string {
  const last = trustsProxy ? context.req.header("x-forwarded-for")?.split(",").at(-1)?.trim() : undefined;
  return last ?? getConnInfo(context).remote.address ?? "";
}
