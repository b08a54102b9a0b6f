/** What esbuild says of code that it can't build, in sentences of `file:line:column: text`. */
import { relative, resolve } from "node:path";
import type { BuildFailure, Message } from "esbuild";
import { OrcaError } from "../core/errors.ts";
import { packageName } from "./package-name.ts";
import { readPackages } from "./package-versions.ts";

/** Whether an error is what an esbuild call throws for code that it can't build. */
export function isBuildFailure(error: unknown): error is BuildFailure {
  return error instanceof Error && Array.isArray((error as Partial<BuildFailure>).errors);
}

/**
 * @param home the `absWorkingDir` of the esbuild call, which its paths are relative to.
 * @param folder what the sentences' paths are relative to.
 */
export function buildFailure(messages: readonly Message[], home: string, folder: string): OrcaError {
  const sentences = messages.map((message) => sentenceOf(message, home, folder));
  return new OrcaError("build-failed", [...new Set(sentences)].join("\n"));
}

/** `lake.ts:3:10: …`, or only the text of what has no place. */
export function sentenceOf({ text, location }: Message, home: string, folder: string): string {
  const said = clearer(text, home);
  if (location === null) return said;
  // esbuild counts bytes
  const column = Buffer.from(location.lineText).subarray(0, location.column).toString().length + 1;
  return `${relative(folder, resolve(home, location.file))}:${location.line}:${column}: ${said}`;
}

function clearer(text: string, home: string): string {
  const unexported = /^No matching export in "([^"]+)" for import "([^"]+)"/.exec(text);
  if (unexported !== null) return `'${unexported[2]}' isn't exported by ${unexported[1]}`;
  const missing = /^Could not resolve "([^"]+)"/.exec(text)?.[1];
  if (missing === undefined) return text;
  if (/^[./]/.test(missing)) return `there is no file ${missing}`;
  if (missing.startsWith("#")) return `${missing} isn't in the imports of a package.json`;
  if (missing === "orca") return "Orca's package is orcajs: import from that";
  const name = packageName(missing);
  return readPackages().find(name, home) === undefined
    ? `the package ${name} isn't installed: run npm install ${name}`
    : `the package ${name} is installed, and has no ${missing}: look at what it exports`;
}
