/** A pipeline's file, Orca and all packages as one text of JavaScript. */
import { isBuiltin } from "node:module";
import { dirname, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { build, type BuildOptions, type Plugin } from "esbuild";
import { buildFailure, isBuildFailure, sentenceOf } from "./build-failure.ts";
import { BUILTIN, type Bundled } from "./executable.ts";
import { callsAreKept } from "./keep-calls.ts";
import { nativePackagesStayOutside, type NativeImport } from "./native-packages.ts";
import { nativesReached } from "./natives-reached.ts";
import { noDefaultExport } from "./no-default-export.ts";
import { oneOrca } from "./one-orca.ts";
import type { Mappings } from "./source-map.ts";

/** Node 20.19 is the oldest that has `require` of modules, which packages with native code may need. */
const COMMON = {
  bundle: true,
  write: false,
  platform: "node",
  target: "node20.19",
  // ASCII but for comments, see ascii.ts: tagged templates would be left as they are written
  charset: "ascii",
  supported: { "template-literal": false },
  logLevel: "silent",
} as const satisfies BuildOptions;

/** What esbuild calls the code that `programOf` writes. */
const PROGRAM = "orca-program";

export interface Bundle extends Bundled {
  /** The version of the orcajs that is in it. */
  readonly orca: string;
  /** What esbuild warns of, as `file:line:column: text`. */
  readonly warnings: readonly string[];
  /** The packages with native code that the code reaches. */
  readonly natives: readonly NativeImport[];
}

export interface BundleOptions {
  /** What paths in errors are relative to. */
  readonly folder: string;
  /** The folder that the code takes itself to be in. */
  readonly self: string;
  /** Whether what takes logs to a bucket is carried: false, but with what takes tables there. */
  readonly s3Logs?: boolean | undefined;
}

/**
 * @param file the real path of the pipeline's file; the map's sources are relative to its folder.
 * @throws OrcaError `build-failed` with what esbuild says.
 */
export async function bundle(file: string, options: BundleOptions): Promise<Bundle> {
  const natives = new Set<string>();
  for (;;) {
    const before = natives.size;
    const bundled = await bundleOnce(file, options, natives);
    if (natives.size === before) return bundled;
  }
}

async function bundleOnce(
  file: string,
  { folder, self, s3Logs = false }: BundleOptions,
  natives: Set<string>,
): Promise<Bundle> {
  const home = dirname(file);
  const orca = oneOrca(home);
  const native = nativePackagesStayOutside(natives, self);
  const options = {
    ...COMMON,
    stdin: { contents: programOf(file), resolveDir: home, sourcefile: PROGRAM, loader: "js" },
    absWorkingDir: home,
    outdir: home, // nothing is written: the map's sources are relative to it
    format: "esm",
    define: { "import.meta": "__orca.meta", __filename: "__orca.meta.filename", __dirname: "__orca.meta.dirname" },
    sourcemap: "external",
    sourcesContent: false,
    metafile: true,
    plugins: [markBuiltins, orca.plugin, native.plugin, callsAreKept()],
  } as const satisfies BuildOptions;
  const { outputFiles, warnings, metafile } = await build(options).catch((error: unknown) => {
    throw explained(error, file, folder);
  });
  const installed = orca.installed();
  const textOf = (ending: string) => outputFiles.find((f) => f.path.endsWith(ending))?.text;
  return {
    code: textOf(".js") ?? "",
    map: JSON.parse(textOf(".js.map") ?? "{}") as Mappings,
    orca: installed?.version ?? "unknown",
    warnings: warnings.map((w) => sentenceOf(w, home, folder)),
    natives: nativesReached(metafile, native.imports, { file, home, orca: installed?.folder, s3Logs }),
  };
}

/** Modules of Node's are looked up rather than imported: see `executable.ts`. Loading one has no effect that anyone could miss. */
const markBuiltins: Plugin = {
  name: "orca-mark-builtins",
  setup(build) {
    build.onResolve({ filter: /^[@\w]/ }, ({ path, kind }) => {
      if (kind !== "import-statement" || !isBuiltin(path)) return undefined;
      return { path: `${BUILTIN}node:${path.replace(/^node:/, "")}`, external: true, sideEffects: false };
    });
  },
};

/**
 * Code that declares `__orca`: `running-file.ts` as a script, and as a text the program that code in the file starts as another process,
 * `postgres/guardian.ts`.
 */
export async function bundleRunningFile(): Promise<string> {
  const [script, guardian] = await Promise.all([
    compiled("./running-file", { format: "iife", globalName: "__orca" }),
    compiled("../postgres/guardian", { format: "esm", minify: true }),
  ]);
  return `${script}__orca.guardian = ${JSON.stringify(guardian)};\n`;
}

/** A module of Orca's as one text, with all that it imports. */
async function compiled(module: string, options: BuildOptions): Promise<string> {
  const source = `${module}${import.meta.url.endsWith(".ts") ? ".ts" : ".js"}`;
  const { outputFiles } = await build({
    ...COMMON,
    ...options,
    write: false,
    entryPoints: [fileURLToPath(new URL(source, import.meta.url))],
  });
  return outputFiles[0]!.text;
}

function programOf(file: string): string {
  return [
    `import { runProgram } from "orcajs/program";`,
    `import pipeline from ${JSON.stringify(file)};`,
    `__orca.loaded();`,
    `await runProgram(pipeline, __orca.built);`,
  ].join("\n");
}

/** The errors of the user's code, or if there are none those of the program that Orca puts around it. */
function explained(error: unknown, file: string, folder: string): unknown {
  if (!isBuildFailure(error)) return error;
  const ofUser = error.errors.filter((e) => e.location?.file !== PROGRAM);
  if (ofUser.length > 0) return buildFailure(ofUser, dirname(file), folder);
  if (error.errors.some((e) => e.text.startsWith("No matching export"))) return noDefaultExport(relative(folder, file));
  const placeless = error.errors.map((e) => ({ ...e, location: null }));
  return buildFailure(placeless, dirname(file), folder);
}
