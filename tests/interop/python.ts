/** The Python of the interop suite and the benchmarks: a virtual environment in `build/python`, made once for each version of its requirements. */
import { spawnSync } from "node:child_process";
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import type { Json } from "@orcajs/iceberg";
import { run, runJson } from "./commands.ts";
import { ServedProgram } from "./served-program.ts";

const environment = path.resolve(import.meta.dirname, "../../build/python");
const requirements = path.join(import.meta.dirname, "python/requirements.txt");
const installed = path.join(environment, "installed.txt");
const CANDIDATES = ["python3", "python3.14", "python3.13", "python3.12", "python3.11", "python"];
const IS_311 = "import sys; sys.exit(sys.version_info < (3, 11))";

/** The environment's Python. */
const program = path.join(environment, "bin/python");

/**
 * Makes the environment, unless it is there with what the requirements say.
 * @throws Error where there is no Python 3.11 or newer, or its packages can't be had: the suite fails then, and passes over nothing.
 */
export function preparePython(): void {
  if (isPythonReady()) return;
  const python = CANDIDATES.find((name) => spawnSync(name, ["-c", IS_311]).status === 0);
  if (python === undefined)
    throw new Error(`the interop suite needs Python 3.11 or newer: none of ${CANDIDATES.join(", ")} is one`);
  rmSync(environment, { recursive: true, force: true });
  run(python, ["-m", "venv", environment]);
  run(program, ["-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--requirement", requirements]);
  writeFileSync(installed, readFileSync(requirements));
}

/** Whether the environment is there with what the requirements say. */
export function isPythonReady(): boolean {
  try {
    return readFileSync(installed, "utf8") === readFileSync(requirements, "utf8");
  } catch {
    return false;
  }
}

/** What a script of the folder `python` prints, given JSON. */
export function python(script: string, words: readonly string[] = [], input: unknown = null): Json {
  return runJson(program, wordsFor(script, words), input);
}

/** A script that answers lists of requests until it is disposed. */
export function servePython(script: string, words: readonly string[]): ServedProgram {
  return new ServedProgram(program, wordsFor(script, words));
}

function wordsFor(script: string, words: readonly string[]): readonly string[] {
  return ["-W", "ignore", path.join(import.meta.dirname, "python", script), ...words];
}
