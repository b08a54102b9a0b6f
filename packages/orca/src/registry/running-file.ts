/**
 * What a built file begins with: how the code in it finds itself and what stays outside of it. A build compiles this module into the file;
 * it imports nothing that isn't compiled with it, as a file that is valid both as CommonJS and as a module has neither's imports.
 */
import type { ChildProcess } from "node:child_process";
import { nativePackage, type NativePackage } from "./native-package.ts";
import type { Packed } from "./unpack-native.ts";
import { packageName } from "./package-name.ts";
import { textOfValue } from "../core/value-text.ts";
import { isSupervised } from "./supervised.ts";
import { isLaunched, spawnInner } from "./inner-process.ts";
import { positionOf, stampOf, wordsOf } from "./position.ts";
import { forgetStart } from "./start.ts";

const { createRequire } = process.getBuiltinModule("node:module");
const { dirname } = process.getBuiltinModule("node:path");
const { pathToFileURL, fileURLToPath } = process.getBuiltinModule("node:url");

/** The real path of the built file. */
export const file = runningFile();

/** What tells this file from one that takes its place later. */
export const stamp = stampOf(file);

/** The file that the code takes itself for, if that isn't the one that it is in. */
declare const __orcaRunsAs: string | undefined;
const self = __orcaRunsAs ?? file;

declare const __orcaPacked: Packed | undefined;
/** The packages that the file carries behind its code, if it does. */
export const packed = __orcaPacked;
if (packed !== undefined) forgetStart(packed.start, file);

let inner =
  isLaunched(process.argv.slice(2)) && !isSupervised() ? spawnInner(wordsOf({ file, packed }), process.env) : undefined;

/** The inner process of a run that this one was started for, once: see `inner-process.ts`. */
export function takeInner(): ChildProcess | undefined {
  const taken = inner;
  inner = undefined;
  return taken;
}

/** `require` for bundled code: of packages that are installed near the file. */
export const require = createRequire(self);

/** `import.meta` for bundled code. */
export const meta = {
  url: pathToFileURL(self).href,
  filename: self,
  dirname: dirname(self),
  /** The program is Orca's: a pipeline's own `if (import.meta.main)` is for when it is run as it is. */
  main: false,
  resolve(specifier: string): string {
    if (/^\.{0,2}\//.test(specifier)) return new URL(specifier, meta.url).href;
    const path = resolved(specifier);
    return /^(\/|[A-Za-z]:)/.test(path) ? pathToFileURL(path).href : path;
  },
};

function resolved(specifier: string): string {
  try {
    return require.resolve(specifier);
  } catch (cause) {
    const remedy = `run npm install ${packageName(specifier)} there`;
    throw new Error(`there is no '${specifier}' near ${dirname(self)}: ${remedy}`, { cause });
  }
}

/** A package that couldn't be bundled: see `native-package.ts`. */
export function native(wanted: NativePackage): unknown {
  return nativePackage(wanted, { file: self, packed });
}

/** A module of Node's. */
export function builtin(name: string): object {
  const module = process.getBuiltinModule(name);
  if (module === undefined)
    throw new Error(`Node ${process.version} has no ${name}, which this file imports: use a newer one`);
  return module;
}

/** One as `import * as` sees it. */
export function namespaceOf(module: object): object {
  return Object.create(module, { default: { value: module, enumerable: true } }) as object;
}

/** Ends the process after an error of the code that runs when the file is loaded, with a sentence that says where. */
export function failed(error: unknown): void {
  process.off("exit", unfinished);
  process.stderr.write(`${sentenceOf(error)}\n`, () => process.exit(INVALID_PIPELINE));
}

function sentenceOf(error: unknown): string {
  try {
    const position = positionOf(error, file);
    const isOfNode = error instanceof Error && !("code" in error) && error.name !== "Error";
    const said = isOfNode ? `${error.name}: ${error.message}` : textOf(error);
    return `${position === undefined ? "" : `${position}: `}${said}`;
  } catch {
    return "the pipeline's file threw something that can't be looked at";
  }
}

function textOf(thrown: unknown): string {
  return thrown instanceof Error ? thrown.message || "an error without a message" : `it threw ${textOfValue(thrown)}`;
}

/** The process ends before the file is loaded: it called `process.exit`, or waits for what nothing is left to settle. */
function unfinished(): void {
  process.stderr.write("error: the process ended before the pipeline's file was loaded\n");
  process.exitCode = INVALID_PIPELINE;
}

/** The pipeline's file is loaded, and its program begins. */
export function loaded(): void {
  process.off("unhandledRejection", failed).off("uncaughtException", failed).off("exit", unfinished);
  process.stdout.write = writeToStdout;
}
process.on("unhandledRejection", failed).on("uncaughtException", failed).on("exit", unfinished);
// what the file prints when it is loaded is no part of what a program of its writes
const writeToStdout = process.stdout.write;
process.stdout.write = process.stderr.write.bind(process.stderr);

/** As `EXIT.usage` of `core/errors.ts`: bad usage, or an invalid pipeline. */
const INVALID_PIPELINE = 2;

/** From the stack: it is right however the file was started, and both for CommonJS and for a module. */
function runningFile(): string {
  const before = Error.prepareStackTrace;
  Error.prepareStackTrace = (_, frames) => frames[0]?.getFileName();
  const path = new Error("asks for its file").stack as unknown;
  Error.prepareStackTrace = before;
  const text = typeof path === "string" ? path : (process.argv[1] ?? "");
  return process.getBuiltinModule("node:fs").realpathSync(text.startsWith("file:") ? fileURLToPath(text) : text);
}
