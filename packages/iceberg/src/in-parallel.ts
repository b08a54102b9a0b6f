/** Work on several items at a time, no more than a limit. The first error ends it, and is thrown when what was begun has ended. */
export async function inParallel<T, R>(
  limit: number,
  items: readonly T[],
  work: (item: T, index: number) => Promise<R>,
): Promise<R[]> {
  const results: R[] = [];
  let next = 0;
  let hasFailed = false;
  const worker = async () => {
    while (next < items.length && !hasFailed) {
      const index = next++;
      try {
        results[index] = await work(items[index]!, index);
      } catch (error) {
        hasFailed = true;
        throw error;
      }
    }
  };
  const workers = await Promise.allSettled(Array.from({ length: Math.min(limit, items.length) }, worker));
  const failed = workers.find((w) => w.status === "rejected");
  if (failed !== undefined) throw failed.reason;
  return results;
}
