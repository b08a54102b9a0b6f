/** A count that stops at a bound: counting further would read the history. */
export interface Bounded {
  readonly count: number;
  readonly isMore: boolean;
}

/** @param count up to one more than the bound. */
export function bounded(count: number, max: number): Bounded {
  return { count: Math.min(count, max), isMore: count > max };
}
