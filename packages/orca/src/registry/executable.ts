/**
 * Bundled code as an executable file.
 *
 * Node takes a file without an extension for CommonJS or for a module by the `package.json` that is nearest to wherever it is put. So the
 * file is valid as both: a function that is called, without a static import, an export or an await at its top level.
 */
import { asciiOf } from "./ascii.ts";
import { MAP_PREFIX } from "./position.ts";
import type { Pack } from "./pack-native.ts";
import { startLine, startOf } from "./start-line.ts";
import { selectSources, type Mappings } from "./source-map.ts";
import type { Packed } from "./unpack-native.ts";

export interface Bundled {
  /** esbuild's output in ESM form; what it imports statically are modules of Node's. */
  readonly code: string;
  readonly map: Mappings;
}

/** What an executable file has besides code. */
export interface Extras {
  /** A JSON value, which the code knows as `__orca.built`. */
  readonly built: object;
  /** The file that the code takes itself for, if that isn't the one that it is in. */
  readonly runsAs: string | undefined;
  /** What a source is called in the file's source map; undefined for all but the user's. */
  nameOf(source: string): string | undefined;
  /** The packages that are put behind the code, if any are. */
  readonly pack: Pack | undefined;
}

export interface Executable {
  readonly text: string;
  /** What Node is given before the file's path. */
  readonly nodeWords: readonly string[];
}

/** What the second line of every executable file begins with: it tells a build from any other file. */
const SECOND_LINE = `(() => { "use strict"; const __orcaRunsAs = `;

/** Whether a file that begins so is a build. */
export function beginsBuild(text: string): boolean {
  return text.startsWith("#!/usr/bin/env ") && text.slice(text.indexOf("\n") + 1).startsWith(SECOND_LINE);
}

/**
 * The code of the file, to its source map; what is packed comes after it. It is ASCII: what the bundled code has besides is in comments.
 *
 * @param runningFile `running-file.ts`, compiled to a script that declares `__orca`.
 */
export function executable(bundled: Bundled, runningFile: string, extras: Extras): Executable {
  const { runsAs, pack } = extras;
  const secondLine = asciiOf(`${SECOND_LINE}${JSON.stringify(runsAs)}, __orcaPacked = `);
  const rest = asciiOf(afterSecondLine(bundled, runningFile, extras));
  if (pack === undefined) return { text: `#!/usr/bin/env node\n${secondLine}undefined;\n${rest}`, nodeWords: [] };
  for (let codeBytes = 0; ;) {
    const start = startOf(codeBytes);
    const packed: Packed = { start, codeBytes, ...pack.about };
    const text = `${startLine(start)}\n${secondLine}${asciiOf(JSON.stringify(packed))};\n${rest}`;
    const bytes = Buffer.byteLength(text);
    if (bytes === codeBytes) return { text, nodeWords: ["-e", start] };
    codeBytes = bytes; // which the text then says, and is longer for it, or isn't
  }
}

function afterSecondLine({ code, map }: Bundled, runningFile: string, { built, nameOf }: Extras): string {
  const { body, imports } = withoutImports(code);
  const head = [
    runningFile.trimEnd(),
    `__orca.built = ${JSON.stringify(built)};`,
    `const { require } = __orca; ${imports}`,
    "(async () => {",
    "",
  ].join("\n");
  const selected = selectSources(map, nameOf, head.split("\n").length + 1);
  const encoded = Buffer.from(JSON.stringify({ version: 3, names: [], ...selected })).toString("base64");
  return `${head}${body}\n})().catch(__orca.failed); })();\n${MAP_PREFIX}${encoded}\n`;
}

/**
 * What a static import of a module of Node's names it by, in bundled code: no other text in it looks like such an import, so that finding
 * them needs no parser, which would take as long as the bundling.
 */
export const BUILTIN = "node-builtin-of-orca:";

// the clause has names, braces, commas and stars
const IMPORT = new RegExp(`^import (?:([^;"'\`()]*?) from )?"${BUILTIN}([^"]+)";$`, "gm");

/** Takes the import statements out of a module, with all lines kept in place, and gives what looks the same modules up. */
function withoutImports(code: string): { readonly body: string; readonly imports: string } {
  const lookups: string[] = [];
  const body = code.replaceAll(IMPORT, (statement: string, clause: string | undefined, module: string) => {
    if (clause !== undefined) lookups.push(...lookupsOf(clause, `__orca.builtin("${module}")`));
    return statement.replaceAll(/[^\n]/g, "");
  });
  if (body.includes(BUILTIN)) throw new Error("an import of a module of Node's has another form than is expected");
  return { body, imports: lookups.join(" ") };
}

/** `const { readFile: read } = …;` for the clause of `import { readFile as read } from "node:fs"`. */
function lookupsOf(clause: string, module: string): string[] {
  const [, first, second] = /^([^{*,]+)?(?:,\s*)?([{*][^]*)?$/.exec(clause)!;
  // a module of Node's has no default but itself
  const named = /\bdefault\b/.test(second ?? "") ? `__orca.namespaceOf(${module})` : module;
  const lookups = first === undefined ? [] : [`const ${first.trim()} = ${module};`];
  if (second?.startsWith("*"))
    lookups.push(`const ${second.replace(/^\*\s*as\s*/, "")} = __orca.namespaceOf(${module});`);
  else if (second !== undefined)
    lookups.push(`const ${second.replaceAll(/\s+as\s+/g, ": ").replaceAll(/\s+/g, " ")} = ${named};`);
  return lookups;
}
