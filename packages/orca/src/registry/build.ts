/** Builds a pipeline: one executable file with its code, Orca's and all packages', and what the code is. */
import { basename, dirname, relative, resolve, sep } from "node:path";
import type { Built, Registry, Source } from "./built.ts";
import { bundle, bundleRunningFile } from "./bundle.ts";
import { placeOfBuild, replaceFile } from "./built-file.ts";
import { executable } from "./executable.ts";
import { packNative } from "./pack-native.ts";
import { pipelineFile } from "./pipeline-file.ts";
import { readRegistry } from "./registry.ts";
import { findRepositoryRoot, readRepository, type GivenSource } from "./source.ts";
import { tryOut } from "./try-out.ts";
import { checkTypes } from "./type-check.ts";

export interface BuildOptions {
  /** The pipeline's file. */
  readonly file: string;
  /** The file to write. */
  readonly out: string;
  /** What relative paths are relative to, and what paths in errors are. */
  readonly folder: string;
  /** Whether types are checked, and the built file is tried: true. */
  readonly check?: boolean | undefined;
  /** What is said of the source in place of git: `ORCA_SOURCE`, `ORCA_COMMIT`, `ORCA_DIRTY`. */
  readonly source?: GivenSource | undefined;
  /** Whether the code takes itself for its source: `import.meta` and packages are where the pipeline's file is. False by default. */
  readonly runsAsSource?: boolean | undefined;
  /** Whether the file carries the packages with native code that its code reaches: true. */
  readonly native?: boolean | undefined;
  /** Whether the file carries what takes logs to a bucket, also if it reads and writes no tables: false. */
  readonly s3Logs?: boolean | undefined;
  readonly signal?: AbortSignal | undefined;
}

export interface BuildResult {
  /** The file that was written, as an absolute path. */
  readonly out: string;
  readonly bytes: number;
  readonly built: Built;
  /** What esbuild warns of, as `file:line:column: text`. */
  readonly warnings: readonly string[];
}

/**
 * Builds a pipeline's file. The new file takes the place of an old one at once, so that a run that starts meanwhile finds either.
 *
 * @throws OrcaError `build-failed` with sentences of `file:line:column: text` on code that doesn't parse, resolve or type-check, on a file
 * without a default export, and where the file can't be written.
 */
export async function buildPipeline(options: BuildOptions): Promise<BuildResult> {
  const { folder, signal } = options;
  signal?.throwIfAborted();
  const file = pipelineFile(options.file, folder);
  const out = placeOfBuild(resolve(folder, options.out), file, folder);
  const self = options.runsAsSource ? file : out;

  const failed = new AbortController();
  const shared = { file, folder, signal: AbortSignal.any([failed.signal, ...(signal ? [signal] : [])]) };
  const bundled = bundle(file, { folder, self: dirname(self), s3Logs: options.s3Logs });
  const work = [
    bundled,
    bundled.then(({ natives }) => (options.native === false || natives.length === 0 ? undefined : packNative(natives))),
    identifyCode({ ...shared, given: options.source }),
    bundleRunningFile(),
    options.check === false ? Promise.resolve() : checkTypes(shared),
  ] as const;
  for (const one of work) one.catch((error: unknown) => failed.abort(error));
  await Promise.allSettled(work); // nothing is left running or lying about
  const [{ code, map, orca, warnings }, pack, { registry, source, nameOf }, runningFile] = await Promise.all(work);
  signal?.throwIfAborted();

  const built: Built = { format: 1, orca, registry, source };
  const { text, nodeWords } = executable({ code, map }, runningFile, {
    built,
    runsAs: options.runsAsSource ? self : undefined,
    nameOf: (source) => nameOf(resolve(dirname(file), source)),
    pack,
  });
  const parts = [Buffer.from(text), ...(pack === undefined ? [] : [pack.text])];
  await replaceFile(out, parts, async (path) => {
    if (options.check !== false) await tryOut([...nodeWords, path], basename(file), signal);
  });
  return { out, bytes: parts.reduce((sum, { length }) => sum + length, 0), built, warnings };
}

interface CodeIdentity {
  readonly registry: Registry;
  readonly source: Source;
  /** A file of the user's, by its absolute path, as it is called in locations; undefined for any other file. */
  nameOf(path: string): string | undefined;
}

/**
 * What code a pipeline is and where that is, without building it.
 *
 * @param options.file the real path of the pipeline's file.
 * @throws as `readRegistry`.
 */
async function identifyCode(options: {
  readonly file: string;
  readonly folder: string;
  readonly given?: GivenSource | undefined;
  readonly signal?: AbortSignal | undefined;
}): Promise<CodeIdentity> {
  const { file, folder, given, signal } = options;
  const repository = await findRepositoryRoot(dirname(file), signal);
  const root = repository ?? dirname(file);
  const { registry, locations, files } = await readRegistry({ file, root, folder });
  const known = new Set(files);
  return {
    registry,
    source: { ...(await readRepository(repository, files, given, signal)), locations },
    nameOf: (path) => (known.has(path) ? relative(root, path).split(sep).join("/") : undefined),
  };
}
