import { IcebergError } from "../../errors.ts";
import { orAborted } from "./or-aborted.ts";
import type { RestOptions } from "./options.ts";

/** What requests are authorised with. */
export interface Tokens {
  /** The token to send; nothing if none is needed. */
  token(signal: AbortSignal | undefined): Promise<string | undefined>;
  /** Says that the catalog refused a token. Whether there may be another. */
  refused(token: string | undefined): boolean;
}

/** Sends a request and gives its reply, whatever its status; passing failures are over by then. */
export type Send = (url: string, init: RequestInit, signal: AbortSignal | undefined) => Promise<Response>;

/** A token is fetched anew when this much of its time is left, or a tenth if that is less. */
const LEFT_MS = 60_000;

export function tokensOf({ token, credential, scope = "catalog" }: RestOptions, serverUri: string, send: Send): Tokens {
  if (credential !== undefined) return new ClientTokens(credential, scope, serverUri, send);
  return { token: async () => token, refused: () => false };
}

/** Tokens by OAuth2's client credentials grant (RFC 6749, section 4.4). */
class ClientTokens implements Tokens {
  readonly #form: URLSearchParams;
  readonly #serverUri: string;
  readonly #send: Send;
  #current: { readonly token: string; readonly renewAtMs: number } | undefined;
  #fetching: Promise<string> | undefined;

  constructor(credential: string, scope: string, serverUri: string, send: Send) {
    const colon = credential.indexOf(":");
    this.#form = new URLSearchParams({
      grant_type: "client_credentials",
      ...(colon >= 0 && { client_id: credential.slice(0, colon) }),
      client_secret: credential.slice(colon + 1),
      scope,
    });
    this.#serverUri = serverUri;
    this.#send = send;
  }

  async token(signal: AbortSignal | undefined): Promise<string> {
    if (this.#current !== undefined && Date.now() < this.#current.renewAtMs) return this.#current.token;
    return await orAborted(
      () => (this.#fetching ??= this.#fetch().finally(() => (this.#fetching = undefined))),
      signal,
    );
  }

  refused(token: string | undefined): boolean {
    if (this.#current?.token === token) this.#current = undefined;
    return true;
  }

  async #fetch(): Promise<string> {
    const askedAtMs = Date.now();
    const headers = { "content-type": "application/x-www-form-urlencoded", accept: "application/json" };
    const init = { method: "POST", headers, body: this.#form.toString() };
    const reply = await this.#send(this.#serverUri, init, undefined);
    const { access_token: token, expires_in: seconds, error } = await objectOf(reply);
    if (!reply.ok || typeof token !== "string") {
      const said = typeof error === "string" ? ` (${error.slice(0, 100)})` : "";
      throw new IcebergError(
        "catalog-failed",
        `${new URL(this.#serverUri).origin} gives no token for the credential: it answered ${reply.status}${said}`,
      );
    }
    const lifeMs = typeof seconds === "number" ? seconds * 1000 : Infinity;
    this.#current = { token, renewAtMs: askedAtMs + lifeMs - Math.min(LEFT_MS, lifeMs / 10) };
    return token;
  }
}

async function objectOf(reply: Response): Promise<Readonly<Record<string, unknown>>> {
  const json: unknown = await reply.json().catch(() => undefined);
  return typeof json === "object" && json !== null ? (json as Record<string, unknown>) : {};
}
