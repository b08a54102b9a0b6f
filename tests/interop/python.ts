/** The Python of the interop suite and the benchmarks: a virtual environment in `build/python`, made once for each version of its requirements. */
import { spawnSync } from "node:child_process";
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";

const root = path.resolve(import.meta.dirname, "../..");
const environment = path.join(root, "build/python");
const requirements = path.join(import.meta.dirname, "python/requirements.txt");
const installed = path.join(environment, "installed.txt");
const CANDIDATES = ["python3", "python3.14", "python3.13", "python3.12", "python3.11", "python"];
const IS_311 = "import sys; sys.exit(sys.version_info < (3, 11))";

/** The environment's Python. */
const program = path.join(environment, "bin/python");

/**
 * Makes the environment, unless it is there with what the requirements say.
 * @throws Error where there is no Python 3.11 or newer, or no package of it can be had: this suite is run, or it fails.
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

/** What a script of the folder `python` prints as JSON, given JSON. */
export function python<T>(script: string, words: readonly string[] = [], input: unknown = null): T {
  const file = path.join(import.meta.dirname, "python", script);
  return JSON.parse(run(program, [file, ...words], JSON.stringify(input))) as T;
}

function run(command: string, words: readonly string[], input = ""): string {
  const { status, stdout, stderr, error } = spawnSync(command, words, {
    input,
    encoding: "utf8",
    maxBuffer: 2 ** 30,
    env: { ...process.env, PYTHONDONTWRITEBYTECODE: "1", PYTHONWARNINGS: "ignore" },
  });
  if (status !== 0) throw new Error(`${[command, ...words].join(" ")}: ${error?.message ?? stderr}`);
  return stdout;
}
