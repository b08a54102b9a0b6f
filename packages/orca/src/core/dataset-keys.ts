/** The partitions of a dataset, as a person lists them: a dataset itself says nothing of what they are. */
import { partitionsIn } from "./partition-list.ts";
import { daily, keyed, monthly } from "./partitions.ts";

/**
 * Months and days and ranges of them; all else is taken for names, save what was meant for a month or a day.
 *
 * @throws OrcaError `invalid-key` on what isn't of the kind of the first.
 */
export function datasetKeys(text: string): readonly string[] {
  const first = text.split(/\.\.|,/)[0]!.trim();
  const [isMonth, isDay] = [/^\d{4}-\d{1,2}$/.test(first), /^\d{4}-\d{1,2}-\d{1,2}$/.test(first)];
  const partitions = isMonth ? monthly("0000-01") : isDay ? daily("0000-01-01") : keyed("a.b", "c");
  return partitionsIn("the dataset", partitions, text);
}
