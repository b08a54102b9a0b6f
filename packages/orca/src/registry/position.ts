/** Where in a pipeline's source an error was thrown, from the source map in the built file that it was thrown in. */
import type { SourceMapPayload } from "node:module";

/** What `running-file.ts` exports, in the scope of all code in a built file. */
declare const __orca: { readonly file: string; readonly stamp: string } | undefined;

/** The path of the built file that this is in; undefined where nothing was built, as under `node lake.ts`. */
export function builtFile(): string | undefined {
  return typeof __orca === "object" ? __orca.file : undefined;
}

/** What the source map is written behind, at the end of a built file. */
export const MAP_PREFIX = "//# sourceMappingURL=data:application/json;base64,";

/**
 * The place in the user's source that an error comes from: `lake.ts:12:5`, relative to the repository, or outside of one to the pipeline's
 * folder. Undefined for an error that none of the user's code had a part in, and where nothing was built.
 *
 * Reads the built file, once: call it only when there is an error to show.
 */
export function positionOf(error: unknown, file = builtFile()): string | undefined {
  if (file === undefined || !(error instanceof Error) || typeof error.stack !== "string" || isReplaced(file))
    return undefined;
  const names = [file, process.getBuiltinModule("node:url").pathToFileURL(file).href]; // CommonJS's and modules' frames
  for (const line of error.stack.split("\n")) {
    if (!/^\s+at /.test(line)) continue;
    const name = names.find((n) => line.includes(`${n}:`));
    if (name === undefined) {
      const mapped = process.sourceMapsEnabled ? mappedPlace(file, line) : undefined;
      if (mapped !== undefined) return mapped;
      continue;
    }
    const place = /^:(\d+):(\d+)/.exec(line.slice(line.lastIndexOf(`${name}:`) + name.length));
    const position = place === null ? undefined : sourceOf(file, Number(place[1]), Number(place[2]));
    if (position !== undefined) return position;
  }
  return undefined;
}

/** The place of a frame that Node itself has mapped, under `--enable-source-maps`: a source's path is relative to the built file there. */
function mappedPlace(file: string, line: string): string | undefined {
  const { dirname, relative } = process.getBuiltinModule("node:path");
  const [, path, place] = /\(?([^()\s]+):(\d+:\d+)\)?$/.exec(line.replace("file://", "")) ?? [];
  const source = path === undefined ? undefined : relative(dirname(file), path);
  return source !== undefined && mapOf(file).payload.sources.includes(source) ? `${source}:${place}` : undefined;
}

let read: { readonly file: string; readonly map: InstanceType<typeof import("node:module").SourceMap> } | undefined;

/** Which file has a path: another one may take its place while it runs, and has other lines. Undefined if there is none. */
export function stampOf(file: string): string | undefined {
  const found = process.getBuiltinModule("node:fs").statSync(file, { throwIfNoEntry: false });
  return found && `${found.ino} ${found.mtimeMs}`;
}

function isReplaced(file: string): boolean {
  return file === builtFile() && typeof __orca === "object" && __orca.stamp !== stampOf(file);
}

function mapOf(file: string): InstanceType<typeof import("node:module").SourceMap> {
  if (read?.file !== file) {
    const text = process.getBuiltinModule("node:fs").readFileSync(file, "utf8");
    const at = text.lastIndexOf(MAP_PREFIX);
    const json = at === -1 ? `{"mappings":""}` : Buffer.from(text.slice(at + MAP_PREFIX.length), "base64").toString();
    const { SourceMap } = process.getBuiltinModule("node:module");
    read = { file, map: new SourceMap(JSON.parse(json) as SourceMapPayload) };
  }
  return read.map;
}

function sourceOf(file: string, line: number, column: number): string | undefined {
  const entry = mapOf(file).findEntry(line - 1, column - 1);
  if (!("originalSource" in entry) || !entry.originalSource) return undefined;
  return `${entry.originalSource}:${entry.originalLine + 1}:${entry.originalColumn + 1}`;
}
