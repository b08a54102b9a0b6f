/**
 * Bundled code as an executable file.
 *
 * Node takes a file without an extension for CommonJS or for a module by the `package.json` that is nearest to wherever it is put. So the
 * file is valid as both: a function that is called, without a static import, an export or an await at its top level.
 */
import { MAP_PREFIX } from "./position.ts";
import { selectSources, type Mappings } from "./source-map.ts";

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
}

/** What every executable file begins with: it tells a build from any other file. */
export const FIRST_LINES = `#!/usr/bin/env node\n(() => { "use strict"; const __orcaRunsAs = `;

/** @param runningFile `running-file.ts`, compiled to a script that declares `__orca`. */
export function executable({ code, map }: Bundled, runningFile: string, { built, runsAs, nameOf }: Extras): string {
  const { body, imports } = withoutImports(code);
  const head = [
    `${FIRST_LINES}${JSON.stringify(runsAs) ?? "undefined"};`,
    runningFile.trimEnd(),
    `__orca.built = ${JSON.stringify(built)};`,
    `const { require } = __orca; ${imports}`,
    "(async () => {",
    "",
  ].join("\n");
  const selected = selectSources(map, nameOf, head.split("\n").length - 1);
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
