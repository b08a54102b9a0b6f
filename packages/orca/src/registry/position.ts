/** Where in a pipeline's source an error was thrown, from the source map in the built file that it was thrown in. */
import type { SourceMapPayload } from "node:module";
import type { Packed } from "./unpack-native.ts";

/** What `running-file.ts` exports, in the scope of all code in a built file. */
declare const __orca:
  | { readonly file: string; readonly stamp: string | undefined; readonly packed: Packed | undefined }
  | undefined;

/** The path of the built file that this is in; undefined where nothing was built, as under `node lake.ts`. */
export function builtFile(): string | undefined {
  return typeof __orca === "object" ? __orca.file : undefined;
}

/**
 * What Node is given to run this process's program again: the file that it was called with, or the built file that this is in. One that
 * carries packages is started by the code of its first line, which reads no more than it must.
 */
export function programWords(): readonly string[] {
  return typeof __orca === "object" ? wordsOf(__orca) : [process.argv[1]!];
}

/** What Node is given to run a built file. */
export function wordsOf({ file, packed }: { readonly file: string; readonly packed: Packed | undefined }): string[] {
  return packed === undefined ? [file] : ["-e", packed.start, file];
}

/** What the source map is written behind, at the end of a built file's code. */
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
  for (const line of error.stack.split("\n")) {
    if (!/^\s+at /.test(line)) continue;
    const place = placeIn(line, file);
    const position = place === undefined ? mappedPlace(file, line) : sourceOf(file, ...place);
    if (position !== undefined) return position;
  }
  return undefined;
}

/** An error's stack with the places in the user's source, and without the frames of what else is in a built file; as it is where nothing was built. */
export function stackInSource(stack: string, file = builtFile()): string {
  if (file === undefined || isReplaced(file)) return stack;
  const lines = stack.split("\n").flatMap((line) => {
    if (!/^\s+at /.test(line)) return [line];
    const place = placeIn(line, file);
    if (place === undefined) return /\bnode:|<anonymous>/.test(line) ? [] : [line];
    const position = sourceOf(file, ...place);
    if (position === undefined) return [];
    const name = /^\s+at (?:async )?([^\s(]+) \(/.exec(line)?.[1];
    return [name === undefined ? `    at ${position}` : `    at ${name} (${position})`];
  });
  return lines.join("\n");
}

/** The place of a frame that Node itself has mapped, under `--enable-source-maps`: a source's path is relative to the built file there. */
function mappedPlace(file: string, line: string): string | undefined {
  if (!process.sourceMapsEnabled) return undefined;
  const { dirname, join } = process.getBuiltinModule("node:path");
  for (const source of mapOf(file).payload.sources) {
    const place = placeIn(line, join(dirname(file), source));
    if (place !== undefined) return [source, ...place].join(":");
  }
  return undefined;
}

/** The line and column that a stack's line gives of a file, as CommonJS's frames name it or as modules' do. */
function placeIn(line: string, file: string): readonly [line: number, column: number] | undefined {
  const names = [file, process.getBuiltinModule("node:url").pathToFileURL(file).href];
  const name = names.find((n) => line.includes(`${n}:`));
  if (name === undefined) return undefined;
  const place = /^:(\d+):(\d+)/.exec(line.slice(line.lastIndexOf(`${name}:`) + name.length));
  return place === null ? undefined : [Number(place[1]), Number(place[2])];
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
    const text = codeOf(file);
    const at = text.lastIndexOf(MAP_PREFIX);
    const json = at === -1 ? `{"mappings":""}` : Buffer.from(text.slice(at + MAP_PREFIX.length), "base64").toString();
    const { SourceMap } = process.getBuiltinModule("node:module");
    read = { file, map: new SourceMap(JSON.parse(json) as SourceMapPayload) };
  }
  return read.map;
}

/** A built file's text without the packages that it carries. */
function codeOf(file: string): string {
  const { closeSync, openSync, readFileSync, readSync } = process.getBuiltinModule("node:fs");
  const codeBytes = file === builtFile() && typeof __orca === "object" ? __orca.packed?.codeBytes : undefined;
  if (codeBytes === undefined) return readFileSync(file, "utf8");
  const code = Buffer.alloc(codeBytes);
  const opened = openSync(file, "r");
  readSync(opened, code);
  closeSync(opened);
  return code.toString();
}

function sourceOf(file: string, line: number, column: number): string | undefined {
  const entry = mapOf(file).findEntry(line - 1, column - 1);
  if (!("originalSource" in entry) || !entry.originalSource) return undefined;
  return `${entry.originalSource}:${entry.originalLine + 1}:${entry.originalColumn + 1}`;
}
