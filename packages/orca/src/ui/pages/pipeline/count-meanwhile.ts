/** The keys of a pipeline are counted anew while its page is looked at. */
import type { Database } from "../../../state/database.ts";
import { COUNT_BRIEFLY, countKeyRanges } from "../../../state/pages/key-ranges.ts";

const counting = new Set<string>();

/** Counts a few of those that have changed, and goes on with the others meanwhile: the page is told when they are. */
export async function countMeanwhile(database: Database, pipeline: string): Promise<void> {
  if (!counting.has(pipeline) && (await countKeyRanges(database, pipeline, COUNT_BRIEFLY)))
    void countOn(database, pipeline);
}

async function countOn(database: Database, pipeline: string): Promise<void> {
  if (counting.has(pipeline)) return;
  counting.add(pipeline);
  try {
    while (await countKeyRanges(database, pipeline));
  } catch {
    // the next page says what is wrong with the database
  } finally {
    counting.delete(pipeline);
  }
}
