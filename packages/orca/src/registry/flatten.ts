/** A pipeline's own code as one flat module: packages stay imports, and what is in `node_modules` isn't read. */
import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { isBuiltin } from "node:module";
import { dirname, resolve } from "node:path";
import * as Esbuild from "esbuild";
import { isOrca } from "./orca-calls.ts";
import { askWhere, isAsked } from "./ask-esbuild.ts";
import { packageName } from "./package-name.ts";
import { packageSpecifier, readPackages, type Package } from "./package-versions.ts";

export interface Flat {
  readonly text: string;
  /** Where esbuild's own functions end in the text and the user's code begins. */
  readonly runtimeEnd: number;
  /** A source map of the text; its sources are relative to the file's folder. */
  readonly map: string;
  /** The packages that the text imports, by the specifiers that it has for them. */
  readonly packages: ReadonlyMap<string, Package>;
  /** The files of the user's own, as absolute paths. */
  readonly files: readonly string[];
}

/**
 * @param esbuild for a test of two versions of it.
 * @throws esbuild's BuildFailure where the code doesn't parse or a file isn't found. A package that isn't found is no failure here.
 */
export async function flatten(file: string, esbuild: Pick<typeof Esbuild, "build"> = Esbuild): Promise<Flat> {
  const packages = new Map<string, Package>();
  const folder = dirname(resolve(file));
  const { outputFiles, metafile } = await esbuild.build({
    entryPoints: [resolve(file)],
    absWorkingDir: folder,
    outdir: folder, // nothing is written: sources are relative to it
    write: false,
    bundle: true,
    format: "esm",
    platform: "node",
    target: "esnext",
    supported: { decorators: false }, // acorn doesn't parse them
    charset: "utf8",
    legalComments: "none",
    treeShaking: false, // which functions are called at load is decided in `effects.ts`, the same for all versions of esbuild
    sourcemap: "external",
    sourcesContent: false,
    metafile: true,
    logLevel: "silent",
    plugins: [packagesStayImports(packages), dataByItsHash()],
  });
  const map = outputFiles.find((f) => f.path.endsWith(".map"))?.text ?? "{}";
  const text = outputFiles.find((f) => !f.path.endsWith(".map") && !f.path.endsWith(".css"))?.text ?? "";
  return {
    text,
    runtimeEnd: firstMappedOffset(text, map),
    map,
    packages,
    files: Object.keys(metafile.inputs).map((input) => resolve(folder, input)),
  };
}

function packagesStayImports(packages: Map<string, Package>): Esbuild.Plugin {
  const installed = readPackages();
  const numbers = new Map<string, string>();

  function external(specifier: string, versions: readonly string[]): Esbuild.OnResolveResult {
    const key = JSON.stringify([specifier, ...versions]);
    const path = numbers.get(key) ?? packageSpecifier(numbers.size);
    numbers.set(key, path);
    packages.set(path, { specifier, versions });
    return { path, external: true };
  }

  return {
    name: "orca-packages-stay-imports",
    setup(build) {
      build.onResolve({ filter: /^[^./]/ }, async (args) => {
        if (args.kind === "entry-point" || isAsked(args)) return undefined;
        if (isOrca(args.path)) return { path: args.path, external: true };
        if (isBuiltin(args.path)) return { path: `node:${args.path.replace(/^node:/, "")}`, external: true };
        const { kind, importer, resolveDir, namespace, with: attributes } = args;
        const found = await askWhere(build, args.path, { kind, importer, resolveDir, namespace, with: attributes });
        if (found.errors.length > 0 || found.external) return external(args.path, [`${packageName(args.path)}@?`]);
        const owner = installed.ofFile(found.path);
        return owner === undefined ? found : external(args.path, installed.versionsOf(owner));
      });
    },
  };
}

/** What doesn't end as a script does; Go's expressions have no negation. */
const DATA = /([^sx]|[^jt]s|[^s]x|[^jt]sx)$/;

/** JSON above this is only worth parsing once, not as syntax too. */
const JSON_BYTES_MAX = 16_384;

/** What isn't code counts by a hash of its bytes, and large JSON by one of each of its values. */
function dataByItsHash(): Esbuild.Plugin {
  return {
    name: "orca-data-by-its-hash",
    setup(build) {
      build.onLoad({ filter: DATA, namespace: "file" }, async ({ path, with: attributes }) => {
        const bytes = await readFile(path);
        const isRaw = attributes["type"] === "text" || attributes["type"] === "bytes";
        if (!path.endsWith(".json") || isRaw) return { contents: `module.exports = "${sha256(bytes)}"`, loader: "js" };
        if (bytes.length <= JSON_BYTES_MAX) return undefined;
        return { contents: summaryOfJson(bytes.toString("utf8")), loader: "json" };
      });
    },
  };
}

function summaryOfJson(text: string): string {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return text; // esbuild says where it is wrong
  }
  if (typeof value !== "object" || value === null || Array.isArray(value))
    return JSON.stringify(sha256(JSON.stringify(value)));
  return JSON.stringify(Object.fromEntries(Object.entries(value).map(([key, v]) => [key, sha256(JSON.stringify(v))])));
}

function sha256(data: string | Uint8Array): string {
  return createHash("sha256").update(data).digest("hex");
}

/** esbuild's own functions come first, and a source map has nothing of them. */
function firstMappedOffset(text: string, map: string): number {
  const { mappings = "" } = JSON.parse(map) as { mappings?: string };
  const lines = mappings.search(/[^;]/);
  let offset = 0;
  for (let line = 0; line < (lines === -1 ? Infinity : lines); line++) {
    const end = text.indexOf("\n", offset);
    if (end === -1) return text.length;
    offset = end + 1;
  }
  return offset;
}
