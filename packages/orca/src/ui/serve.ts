/** The UI's server, from its start to its end. */
import type { AddressInfo } from "node:net";
import { once } from "node:events";
import { createAdaptorServer } from "@hono/node-server";
import { OrcaError } from "../core/errors.ts";
import { makeUi, type UiOptions } from "./app.ts";

export interface Serving extends AsyncDisposable {
  /** Where it is: `http://127.0.0.1:8270`. */
  readonly address: string;
}

/** How long requests that are being answered may take at the end. */
const GRACE_MS = 2_000;

/**
 * Serves until it is disposed. @param address a host and a port, such as `127.0.0.1:8270`; port 0 takes one that is free.
 *
 * @throws OrcaError `usage` when it can't listen there.
 */
export async function serveUi(address: string, options: UiOptions): Promise<Serving> {
  const { host, port } = hostAndPort(address);
  const ui = makeUi(options);
  const server = createAdaptorServer({ fetch: ui.app.fetch });
  try {
    server.listen(port, host);
    await once(server, "listening");
  } catch (cause) {
    await ui[Symbol.asyncDispose]();
    throw new OrcaError("usage", `the UI can't listen at ${address}: ${whyNot(cause as NodeJS.ErrnoException)}`, {
      cause,
    });
  }
  const { port: taken } = server.address() as AddressInfo;
  return {
    address: `http://${host.includes(":") ? `[${host}]` : host}:${taken}`,
    async [Symbol.asyncDispose]() {
      await ui[Symbol.asyncDispose]();
      const closed = once(server, "close");
      server.close();
      if ("closeIdleConnections" in server) server.closeIdleConnections();
      const late = setTimeout(() => "closeAllConnections" in server && server.closeAllConnections(), GRACE_MS);
      await closed;
      clearTimeout(late);
    },
  };
}

function hostAndPort(address: string): { readonly host: string; readonly port: number } {
  const [, host, port] = /^(\[[\da-f:]+\]|[^:[\]]+):(\d{1,5})$/i.exec(address) ?? [];
  if (host === undefined || Number(port) > 65_535)
    throw new OrcaError("usage", `ORCA_UI_ADDR is '${address}': it takes a host and a port, such as 127.0.0.1:8270`);
  return { host: host.replace(/^\[|\]$/g, ""), port: Number(port) };
}

function whyNot({ code, message }: NodeJS.ErrnoException): string {
  if (code === "EADDRINUSE") return "something else does already; set ORCA_UI_ADDR to another port";
  if (code === "EACCES") return "this user may not";
  return message;
}
