/** Requests to a REST catalog: sent again where that is safe, and authorised. */
import { IcebergError } from "../../errors.ts";
import { backOff } from "../backoff.ts";
import type { RestOptions } from "./options.ts";
import { retryAfterMs } from "./retry-after.ts";
import { type Tokens, tokensOf } from "./tokens.ts";

/** These statuses pass: the same request may succeed a little later. */
const PASSING: ReadonlySet<number> = new Set([408, 429, 500, 502, 503, 504]);

/** With these the request was refused for its token. 419 is the specification's "authentication timeout". */
const UNAUTHORISED: ReadonlySet<number> = new Set([401, 419]);

/** A request whose reply didn't come, or says nothing: it may have been applied. */
export class LostReply extends IcebergError {
  /** How long the catalog has asked to wait. */
  readonly retryAfterMs: number;

  constructor(url: string, why: string, options: ErrorOptions & { readonly retryAfterMs?: number } = {}) {
    super("catalog-failed", `the catalog at ${new URL(url).origin} ${why}`, options);
    this.retryAfterMs = options.retryAfterMs ?? 0;
  }
}

export class Transport {
  readonly #options: RestOptions;
  readonly #tokens: Tokens;

  constructor(options: RestOptions, serverUri: string) {
    this.#options = options;
    this.#tokens = tokensOf(options, serverUri, (url, init, signal) => this.#send(url, init, signal, true));
  }

  /**
   * The reply to a request, whatever its status. One that only reads is sent again after failures that pass; others only if they were refused for
   * their token or as too many. What a reply says of when to come again is kept to.
   *
   * @throws IcebergError `catalog-failed`; LostReply, which is one too, if it may have been applied; the signal's reason.
   */
  async fetch(url: string, init: RequestInit, signal?: AbortSignal): Promise<Response> {
    const isRead = init.method === "GET" || init.method === "HEAD";
    for (let round = 1; ; round++) {
      const token = await this.#tokens.token(signal);
      const headers = new Headers({ ...this.#options.headers, accept: "application/json" });
      new Headers(init.headers).forEach((value, name) => headers.set(name, value));
      if (token !== undefined) headers.set("authorization", `Bearer ${token}`);
      const reply = await this.#send(url, { ...init, headers }, signal, isRead);
      if (!UNAUTHORISED.has(reply.status) || round > 1 || !this.#tokens.refused(token)) return reply;
      await reply.body?.cancel();
    }
  }

  async #send(
    url: string,
    init: RequestInit,
    signal: AbortSignal | undefined,
    isRepeatable: boolean,
  ): Promise<Response> {
    const { attempts = 5, retryMilliseconds = 100, timeoutSeconds = 60 } = this.#options;
    for (let attempt = 1; ; attempt++) {
      const timeout = AbortSignal.timeout(timeoutSeconds * 1000);
      let leastMs = 0;
      const both = signal === undefined ? timeout : AbortSignal.any([signal, timeout]);
      try {
        const reply = await whole(await fetch(url, { ...init, signal: both }));
        const isAgain = reply.status === 429 || (isRepeatable && PASSING.has(reply.status));
        if (!isAgain || attempt >= attempts) return reply;
        leastMs = retryAfterMs(reply.headers, Date.now());
      } catch (cause) {
        signal?.throwIfAborted();
        const why = timeout.aborted ? `no reply within ${timeoutSeconds} s` : reasonOf(cause);
        if (!isRepeatable || attempt >= attempts) throw new LostReply(url, `can't be reached: ${why}`, { cause });
      }
      await backOff(attempt, retryMilliseconds, { signal, leastMs });
    }
  }
}

/** A reply whose body has come: what breaks off within it is a lost reply too. */
async function whole(reply: Response): Promise<Response> {
  const { status, statusText, headers } = reply;
  const body = await reply.arrayBuffer();
  return new Response(body.byteLength === 0 ? null : body, { status, statusText, headers });
}

/** fetch says "fetch failed", and why in the cause. */
function reasonOf(error: unknown): string {
  const { message, cause } = error as Error;
  return cause instanceof Error ? cause.message || ((cause as NodeJS.ErrnoException).code ?? message) : message;
}
