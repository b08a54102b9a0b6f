/** Where bars of time are drawn: in lanes, so that those that go on at once are below each other. */

export interface Span {
  readonly startedAt: Date;
  readonly endedAt: Date | null;
}

/**
 * Gives each span a lane: the first that is free. What there is no lane for is put into the last one.
 *
 * @returns the lanes of the spans in their order, and how many there are.
 */
export function lanesOf(
  spans: readonly Span[],
  now: Date,
  lanesMax: number,
): { readonly of: readonly number[]; readonly lanes: number } {
  const order = spans
    .map((span, i) => ({ span, i }))
    .sort((a, b) => a.span.startedAt.getTime() - b.span.startedAt.getTime());
  const freeAt: number[] = [];
  const of: number[] = [];
  for (const { span, i } of order) {
    const free = freeAt.findIndex((at) => at <= span.startedAt.getTime());
    const lane = free >= 0 ? free : Math.min(freeAt.length, lanesMax - 1);
    freeAt[lane] = Math.max(freeAt[lane] ?? 0, (span.endedAt ?? now).getTime());
    of[i] = lane;
  }
  return { of, lanes: freeAt.length };
}

/** Some instants of a time, at round distances from each other. */
export function ticksOf(from: Date, to: Date, most: number): readonly Date[] {
  const span = to.getTime() - from.getTime();
  const every =
    EVERY_MS.find((ms) => span / ms <= most) ?? EVERY_MS.at(-1)! * Math.ceil(span / EVERY_MS.at(-1)! / most);
  const first = Math.ceil(from.getTime() / every) * every;
  return Array.from(
    { length: Math.max(0, Math.floor((to.getTime() - first) / every) + 1) },
    (_, i) => new Date(first + i * every),
  );
}

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const EVERY_MS = [
  ...[1, 2, 5, 10, 20, 30].map((n) => n * SECOND),
  ...[1, 2, 5, 10, 20, 30].map((n) => n * MINUTE),
  ...[1, 2, 4, 6, 12, 24, 48, 168].map((n) => n * HOUR),
];
