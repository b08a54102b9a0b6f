/** What is selected of a pipeline's days or months. */
import { partitionsIn } from "../../../core/partition-list.ts";
import type { KeyRow } from "../../../state/pages/key-facts.ts";
import type { KeyState } from "../../../state/pages/key-states.ts";
import { partitionsOf } from "../../../core/keys-across.ts";
import type { PipelineData } from "./read.ts";

export function selectedOf(
  { name, partitions }: PipelineData,
  keys: readonly KeyRow[],
  list: string | undefined,
  state: KeyState | undefined,
): readonly string[] {
  if (state !== undefined) return keys.filter((row) => row.state === state).map((row) => row.key);
  if (list === undefined) return [];
  const wanted = new Set<string>(partitionsIn(name, partitionsOf(partitions), list));
  return keys.filter((row) => wanted.has(row.key)).map((row) => row.key);
}

/** What is selected, or else the newest that needs someone, or is going on, or is there. */
export function focusOf(keys: readonly KeyRow[], selected: readonly string[]): string | undefined {
  const newest = (state: KeyState) => keys.findLast((row) => row.state === state)?.key;
  return selected[0] ?? newest("failed") ?? newest("running") ?? keys.at(-1)?.key;
}

/** `2024-01-01..2024-01-31` of those that there are. */
export function within(keys: readonly KeyRow[], month: string): string | undefined {
  const of = keys.filter((row) => row.key.startsWith(month));
  return of.length === 0
    ? undefined
    : rangesOf(
        keys,
        of.map((row) => row.key),
      );
}

/** Those that are beside each other as ranges. */
export function rangesOf(all: readonly KeyRow[], selected: readonly string[]): string {
  const chosen = new Set(selected);
  const ranges: [first: string, last: string][] = [];
  let isOpen = false;
  for (const { key } of all) {
    const isChosen = chosen.has(key);
    if (isChosen && isOpen) ranges.at(-1)![1] = key;
    else if (isChosen) ranges.push([key, key]);
    isOpen = isChosen;
  }
  return ranges.map(([first, last]) => (first === last ? first : `${first}..${last}`)).join(",");
}
