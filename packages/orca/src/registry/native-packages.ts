/** Which packages have native code, and how a build leaves them, and Orca's own for object storage, out of its code. */
import { existsSync, readdirSync } from "node:fs";
import { isBuiltin } from "node:module";
import { dirname, join, relative } from "node:path";
import type { OnResolveResult, Plugin } from "esbuild";
import type { NativePackage } from "./native-package.ts";
import { OBJECT_STORAGE } from "./require-native.ts";
import { packageName } from "./package-name.ts";
import { readPackages, type Installed, type Packages } from "./package-versions.ts";

/** Of the modules that stand for such packages. */
const NAMESPACE = "orca-native";

export interface NativePackages {
  readonly plugin: Plugin;
  /** What was imported, by what esbuild calls it in a metafile. */
  readonly imports: ReadonlyMap<string, NativeImport>;
}

export interface NativeImport {
  /** The name that the package was imported by. */
  readonly name: string;
  readonly installed: Installed;
  /** The folder of the module that imports it. */
  readonly folder: string;
}

/**
 * An esbuild plugin that replaces an import of a package with native code, in itself or in what it depends on, by what loads it when it is
 * used (`native-package.ts`). A `.node` file that is reached all the same has its package added to `known`: build again with those.
 *
 * @param self the folder that the code takes itself to be in: paths are relative to it, so that a build is the same on every machine.
 */
export function nativePackagesStayOutside(known: Set<string>, self: string): NativePackages {
  const packages = readPackages();
  const isNative = createIsNative(packages, known);
  const imports = new Map<string, NativeImport>();
  const plugin: Plugin = {
    name: "orca-native-packages-stay-outside",
    setup(build) {
      // by name rather than by asking esbuild: large packages have thousands of imports
      build.onResolve({ filter: /^[@\w]/ }, ({ kind, path, importer, resolveDir }) => {
        // what is Orca's own is in the code, but for its tables, which need DuckDB, and what few runs use and is large
        if (
          kind === "entry-point" ||
          isBuiltin(path) ||
          /^(?:orcajs|@orcajs\/(?!(?:iceberg|objectstore)$).*)(\/|$)/.test(path)
        )
          return undefined;
        const name = packageName(path);
        const owner = packages.find(name, resolveDir);
        if (owner === undefined || !(name === OBJECT_STORAGE || isNative(owner))) return undefined;
        const importedBy = packages.ofFile(importer)?.name ?? null;
        const folder = relative(self, resolveDir);
        const result = outside({ specifier: path, name, version: owner.version, importer: importedBy, folder });
        imports.set(`${NAMESPACE}:${result.path}`, { name, installed: owner, folder: resolveDir });
        return result;
      });
      build.onResolve({ filter: /\.node$/ }, ({ path, importer, resolveDir }) => {
        const owner = packages.ofFile(importer);
        if (owner !== undefined) known.add(owner.folder);
        const specifier = relative(self, join(resolveDir, path));
        return outside({ specifier, name: "", version: "", importer: null, folder: dirname(specifier) });
      });
      build.onLoad({ filter: /.*/, namespace: NAMESPACE }, ({ pluginData }) => ({
        contents: `module.exports = __orca.native(${JSON.stringify(pluginData)});`,
        loader: "js",
      }));
    },
  };
  return { plugin, imports };

  function outside(wanted: NativePackage): OnResolveResult & { readonly path: string } {
    return { path: JSON.stringify(wanted), namespace: NAMESPACE, pluginData: wanted };
  }
}

function createIsNative(packages: Packages, known: ReadonlySet<string>): (root: Installed) => boolean {
  const answers = new Map<string, boolean>();
  return isNative;

  function isNative(one: Installed): boolean {
    const before = answers.get(one.folder);
    if (before !== undefined) return before;
    answers.set(one.folder, false); // packages that depend on each other
    const { dependencies, optionalDependencies } = one.manifest;
    const answer =
      known.has(one.folder) ||
      hasNativeCode(one) ||
      Object.keys({ ...dependencies, ...optionalDependencies }).some((name) => {
        const dependency = packages.find(name, one.folder);
        return dependency !== undefined && isNative(dependency);
      });
    answers.set(one.folder, answer);
    return answer;
  }
}

/** By where such code is put: looking through all files of large packages would take long. */
function hasNativeCode({ folder, manifest }: Installed): boolean {
  if (manifest.binary !== undefined || manifest.main?.endsWith(".node")) return true;
  const files = readdirSync(folder);
  if (files.some((name) => name.endsWith(".node") || name === "binding.gyp" || name === "prebuilds")) return true;
  return files.includes("build") && existsSync(join(folder, "build/Release"));
}
