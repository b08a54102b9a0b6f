/**
 * What work gives that several wait for: a signal ends the wait of one of them, not the work.
 *
 * @param begin begins the work, or gives what has been begun.
 * @throws the signal's reason
 */
export async function orAborted<T>(begin: () => Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  signal?.throwIfAborted();
  const work = begin();
  if (signal === undefined) return await work;
  const { promise: aborted, reject } = Promise.withResolvers<never>();
  const abort = () => reject(signal.reason as Error);
  signal.addEventListener("abort", abort);
  try {
    return await Promise.race([work, aborted]);
  } finally {
    signal.removeEventListener("abort", abort);
  }
}
