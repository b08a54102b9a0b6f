/** The files of packages with native code, in a folder of their own where they find each other as they do where they are installed. */
import { readdirSync, statSync } from "node:fs";
import { join, posix } from "node:path";
import type { Installed, Packages } from "./package-versions.ts";

export interface NativeTree {
  /** The folder of each package that was asked for, by its `name@version`. */
  readonly packages: Readonly<Record<string, string>>;
  readonly files: readonly TreeFile[];
}

interface TreeFile {
  /** Relative to the tree. */
  readonly path: string;
  /** Where it is. */
  readonly source: string;
}

/** @param roots packages by the names that they are imported by. */
export function nativeTree(
  roots: readonly { readonly name: string; readonly installed: Installed }[],
  installed: Packages,
): NativeTree {
  const placed = new Map<string, Installed>();
  const packages: Record<string, string> = {};
  for (const [i, root] of roots.entries())
    packages[`${root.name}@${root.installed.version}`] ??= place(root.name, root.installed, i === 0 ? "." : `${i}`);
  const files = [...placed].flatMap(([folder, one]) => filesOf(one.folder, folder));
  return { packages, files: files.toSorted((a, b) => (a.path < b.path ? -1 : 1)) };

  /** Gives where code in a folder of the tree finds a package, and puts it there, as high as no other one of its name is found. */
  function place(name: string, one: Installed, from: string): string {
    const at = placesFrom(from, name).find((folder) => placed.has(folder));
    if (at !== undefined && placed.get(at)!.folder === one.folder) return at;
    const folder = posix.join(at === undefined ? "." : from, "node_modules", name);
    placed.set(folder, one);
    for (const dependency of dependenciesOf(one)) {
      const found = installed.find(dependency, one.folder);
      if (found !== undefined) place(dependency, found, folder);
    }
    return folder;
  }
}

function placesFrom(folder: string, name: string): readonly string[] {
  const at = posix.join(folder, "node_modules", name);
  return folder === "." ? [at] : [at, ...placesFrom(posix.dirname(folder), name)];
}

/** What a package may require when it runs. */
function dependenciesOf({ manifest }: Installed): readonly string[] {
  const { dependencies, optionalDependencies, peerDependencies, peerDependenciesMeta = {} } = manifest;
  const peers = Object.keys(peerDependencies ?? {}).filter((name) => peerDependenciesMeta[name]?.optional !== true);
  return [...Object.keys({ ...dependencies, ...optionalDependencies }), ...peers];
}

/** Types, source maps, and what native code is compiled from. */
const NOT_RUN = /\.(d\.[cm]?ts|map|c|cc|cpp|h|hpp|o|a|gyp|gypi)$/;

function filesOf(source: string, path: string): readonly TreeFile[] {
  return readdirSync(source).flatMap((name) => {
    const from = join(source, name);
    const file = { path: posix.join(path, name), source: from };
    if (name === "node_modules" || NOT_RUN.test(name) || isOfAnotherMachine(from)) return [];
    const found = statSync(from, { throwIfNoEntry: false });
    if (found?.isDirectory()) return filesOf(from, file.path);
    return found?.isFile() ? [file] : [];
  });
}

/** A folder such as `prebuilds/darwin-x64+arm64`, as prebuildify names them. */
function isOfAnotherMachine(path: string): boolean {
  const [, platform, archs] =
    /\bprebuilds\W(aix|android|darwin|freebsd|linux|openbsd|sunos|win32)-([\w+]+)$/.exec(path) ?? [];
  return platform !== undefined && (platform !== process.platform || !archs!.split("+").includes(process.arch));
}
