/** The type check of a pipeline's file, by the user's own TypeScript. TypeScript 7 has no JavaScript API: its `tsc` is run. */
import { spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { rm, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { basename, dirname, extname, join, parse } from "node:path";
import { fileURLToPath } from "node:url";
import { OrcaError } from "../core/errors.ts";
import { typeErrors } from "./type-errors.ts";

export interface TypeCheckOptions {
  /** The real path of the pipeline's file. */
  readonly file: string;
  /** What paths in errors are relative to. */
  readonly folder: string;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Checks the types of a pipeline's file and of what it imports, by the options of the nearest tsconfig.json, or without one by Orca's. A
 * JavaScript file isn't checked.
 *
 * @throws OrcaError `build-failed` with what tsc says, as `file:line:column: text`; or where TypeScript isn't installed.
 */
export async function checkTypes({ file, folder, signal }: TypeCheckOptions): Promise<void> {
  if (!/^\.[cm]?tsx?$/.test(extname(file))) return;
  const tsc = findTsc(file);
  const nearest = nearestConfig(dirname(file));
  // beside the options that it extends: the packages that they name in `types` are looked up from there
  const config = join(dirname(nearest ?? file), `.orca-check-${randomUUID()}.json`);
  try {
    await writeConfig(config, configFor(file, nearest));
    const { code, printed } = await run(tsc, ["-p", config, "--pretty", "false"], folder, signal);
    if (code === 0) return;
    const said = printed.replaceAll(basename(config), "tsconfig.json");
    throw new OrcaError("build-failed", typeErrors(said) || said.trim() || `tsc ended with ${code}`);
  } finally {
    await rm(config, { force: true });
  }
}

const OURS = fileURLToPath(new URL("../../tsconfig.user.json", import.meta.url));

/** What the file needs of a configuration, and nothing that writes files or checks others. */
function configFor(file: string, nearest: string | undefined): object {
  return {
    extends: nearest ?? OURS,
    files: [file],
    include: [],
    references: [],
    compilerOptions: {
      noEmit: true,
      rootDir: parse(file).root, // the file may be outside of what is otherwise built
      incremental: false,
      composite: false,
      declaration: false,
      declarationMap: false,
      emitDeclarationOnly: false,
      isolatedDeclarations: false,
      allowImportingTsExtensions: true, // Node runs files that import with them
      skipLibCheck: true,
      noUnusedLocals: false, // what a linter is for
      noUnusedParameters: false,
      // the file is bundled, so it is a module whatever package.json is near it
      ...(nearest === undefined && { module: "preserve", moduleResolution: "bundler" }),
    },
  };
}

async function writeConfig(path: string, config: object): Promise<void> {
  try {
    await writeFile(path, JSON.stringify(config));
  } catch (cause) {
    const sentence = `types can't be checked without a file in ${dirname(path)}, or pass --no-check: ${(cause as Error).message}`;
    throw new OrcaError("build-failed", sentence, { cause });
  }
}

function findTsc(file: string): string {
  const { resolve } = createRequire(file);
  let manifest: string;
  try {
    manifest = resolve("typescript/package.json");
  } catch (cause) {
    const sentence =
      "TypeScript isn't installed: run npm install --save-dev typescript, or pass --no-check to build without a check";
    throw new OrcaError("build-failed", sentence, { cause });
  }
  const { bin } = JSON.parse(readFileSync(manifest, "utf8")) as { bin: { tsc: string } };
  return join(dirname(manifest), bin.tsc);
}

function nearestConfig(folder: string): string | undefined {
  const config = join(folder, "tsconfig.json");
  if (existsSync(config)) return config;
  return dirname(folder) === folder ? undefined : nearestConfig(dirname(folder));
}

async function run(
  tsc: string,
  words: readonly string[],
  folder: string,
  signal: AbortSignal | undefined,
): Promise<{ code: number | null; printed: string }> {
  const child = spawn(process.execPath, [tsc, ...words], {
    cwd: folder,
    stdio: ["ignore", "pipe", "pipe"],
    ...(signal && { signal }),
  });
  let printed = "";
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding("utf8").on("data", (text: string) => (printed += text));
  return await new Promise((resolve, reject) => {
    child.on("error", (error) => reject(signal?.aborted ? (signal.reason as Error) : error));
    child.on("close", (code) => resolve({ code, printed }));
  });
}
