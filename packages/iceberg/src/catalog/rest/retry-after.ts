/** A longer wait isn't kept to: who waits would rather be told. */
const WAIT_MS_MAX = 60_000;

/**
 * How long a reply asks to wait before the next request, in milliseconds, of at most a minute ("Retry-After", RFC 9110, section 10.2.3): a number of seconds,
 * or a date, which is on the server's clock. 0 if it asks for nothing, or nothing that can be read.
 */
export function retryAfterMs(headers: Headers, nowMs: number): number {
  const said = headers.get("retry-after")?.trim() ?? "";
  if (/^\d+$/.test(said)) return Math.min(WAIT_MS_MAX, Number(said) * 1000);
  const untilMs = Date.parse(said);
  const serverNowMs = Date.parse(headers.get("date") ?? "");
  const ms = untilMs - (Number.isNaN(serverNowMs) ? nowMs : serverNowMs);
  return Number.isNaN(ms) ? 0 : Math.min(WAIT_MS_MAX, Math.max(0, ms));
}
