/** Where a pipeline, its steps and its tasks are declared, for links to their code. */
import { SourceMap, type SourceMapPayload } from "node:module";
import { relative, resolve, sep } from "node:path";
import type { Location, Locations } from "../core/code-locations.ts";
import type { Declarations, TaskDeclaration } from "./declarations.ts";
import type { Flat } from "./flatten.ts";

export const NO_LOCATIONS: Locations = { pipeline: null, steps: {}, tasks: {} };

/**
 * @param home what the source map's paths are relative to.
 * @param root what the locations' paths are relative to; what is declared outside of it has no location.
 */
export function readLocations(
  { text, map }: Flat,
  { home, root }: { readonly home: string; readonly root: string },
  { at, steps }: Declarations,
  tasks: readonly TaskDeclaration[],
): Locations {
  const sourceMap = new SourceMap(JSON.parse(map) as SourceMapPayload);
  const lineEnds = [...text.matchAll(/\n/g)].map((match) => match.index);
  return {
    pipeline: locate(at.start) ?? null,
    steps: named((steps ?? []).map((step) => [step.name, step.at.start])),
    tasks: named(tasks.map((task) => [task.name, task.node.start])),
  };

  function named(starts: readonly (readonly [name: string | undefined, start: number])[]): Record<string, Location> {
    const found: Record<string, Location> = {};
    for (const [name, start] of starts) {
      const location = name === undefined ? undefined : locate(start);
      if (name !== undefined && location !== undefined) found[name] = location;
    }
    return found;
  }

  function locate(offset: number): Location | undefined {
    const after = lineEnds.findIndex((end) => end >= offset);
    const line = after === -1 ? lineEnds.length : after;
    const entry = sourceMap.findEntry(line, offset - (line === 0 ? 0 : lineEnds[line - 1]! + 1));
    if (!("originalSource" in entry)) return undefined;
    const file = relative(root, resolve(home, entry.originalSource));
    return file.startsWith("..") ? undefined : { file: file.split(sep).join("/"), line: entry.originalLine + 1 };
  }
}
