/** What a time zone's clock reads, as stretches of one offset. Loads Temporal: import it only where fires are made. */
import { fromEpochMilliseconds, toZonedDateTimeISO } from "temporal-polyfill/fns/Instant";
import { getTimeZoneTransition, offsetNanoseconds } from "temporal-polyfill/fns/ZonedDateTime";
import { checkTimeZone } from "./time-zone.ts";

/**
 * A time in which a clock keeps one offset from UTC. A reading is what the clock shows, as the milliseconds that UTC's
 * clock would show it at: an instant plus the offset.
 */
export interface Stretch {
  /** Its first instant, in milliseconds since 1970: a transition of the zone, unless it is where the answer was cut. */
  readonly from: number;
  /** The instant after its last. */
  readonly until: number;
  readonly offset: number;
  /** The reading that the clock had got to, at most, before `from`. More than `from` reads: times repeat. Less: a gap. */
  readonly reached: number;
}

/** A time zone's clock. */
export interface ZoneClock {
  /** The stretch that an instant is in. */
  stretchAt(instant: number): Stretch;
}

/** Further than any clock was ever set, back or on: what is due two days away can't be reached by a change now. */
export const CHANGE_MS_MAX = 2 * 86_400_000;

/** The clock of a time zone. @throws OrcaError `invalid-cron` if there is no such zone. */
export function clockOf(timeZone: string): ZoneClock {
  if (timeZone === "UTC") return UTC;
  let clock = clocks.get(timeZone);
  if (clock === undefined) {
    checkTimeZone(timeZone);
    if (clocks.size >= CLOCKS_MAX) clocks.clear();
    clock = rememberingClock(timeZone);
    clocks.set(timeZone, clock);
  }
  return clock;
}

const ALWAYS: Stretch = { from: -Infinity, until: Infinity, offset: 0, reached: -Infinity };
const UTC: ZoneClock = { stretchAt: () => ALWAYS };

const clocks = new Map<string, ZoneClock>();
const CLOCKS_MAX = 1000;

/** Temporal's answers cost 6 µs each, and 200 µs the first time: they are kept by the year. */
const BLOCK_MS = 366 * 86_400_000;
const BLOCKS_MAX = 1000;

function rememberingClock(timeZone: string): ZoneClock {
  const blocks = new Map<number, readonly Stretch[]>();
  return {
    stretchAt(instant) {
      const index = Math.floor(instant / BLOCK_MS);
      let block = blocks.get(index);
      if (block === undefined) {
        if (blocks.size >= BLOCKS_MAX) blocks.clear();
        block = stretchesIn(timeZone, index * BLOCK_MS, (index + 1) * BLOCK_MS);
        blocks.set(index, block);
      }
      return block.find((stretch) => instant < stretch.until)!;
    },
  };
}

/** The stretches that cover a time. The first begins earlier, to know how far the clock had got. */
function stretchesIn(timeZone: string, start: number, end: number): Stretch[] {
  const stretches: Stretch[] = [];
  let reached = -Infinity;
  for (let from = start - CHANGE_MS_MAX; from < end;) {
    const zoned = toZonedDateTimeISO(fromEpochMilliseconds(from), timeZone);
    const offset = offsetNanoseconds(zoned) / 1_000_000;
    const until = Math.min(getTimeZoneTransition(zoned, "next")?.epochMilliseconds ?? Infinity, end);
    if (stretches.length === 0) reached = from + offset;
    stretches.push({ from, until, offset, reached });
    reached = Math.max(reached, until + offset);
    from = until;
  }
  return stretches;
}
