/** Packages, as installed: a hash counts their versions rather than their code. */
import { readFileSync, realpathSync } from "node:fs";
import { dirname, join, sep } from "node:path";

/** A package that the user's code imports. */
export interface Package {
  /** As the code imports it: `leftpad/pad`. */
  readonly specifier: string;
  /** `name@version` of the package, then of all that it depends on. */
  readonly versions: readonly string[];
}

/** An installed package. */
export interface Installed {
  /** Its folder, without symbolic links. */
  readonly folder: string;
  readonly name: string;
  readonly version: string;
  readonly manifest: Manifest;
}

/** What of a package.json matters here. */
interface Manifest {
  readonly name?: string;
  readonly version?: string;
  readonly main?: string;
  readonly binary?: unknown;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
  readonly peerDependenciesMeta?: Readonly<Record<string, { readonly optional?: boolean }>>;
}

export interface Packages {
  /** The package that a file belongs to; none for one outside of `node_modules`, or without a version to count: that is the user's code. */
  ofFile(path: string): Installed | undefined;
  /** The installed package that a file in `folder` gets by that name. */
  find(name: string, folder: string): Installed | undefined;
  /**
   * `name@version` of a package, then of all that it depends on. Optional dependencies are left out: they differ from machine to machine,
   * and the versions that they may have are the package's choice. So is Orca, as in `isOrca`.
   */
  versionsOf(root: Installed): readonly string[];
}

/** Reads packages, each once: what is installed must not change while this is used. */
export function readPackages(): Packages {
  const inFolder = new Map<string, Installed | undefined>();
  const named = new Map<string, Installed | undefined>();
  const versions = new Map<string, readonly string[]>();
  return { ofFile, find, versionsOf };

  function ofFile(path: string): Installed | undefined {
    const marker = `${sep}node_modules${sep}`;
    const at = path.lastIndexOf(marker);
    if (at === -1) return undefined;
    const [first = "", second = ""] = path.slice(at + marker.length).split(sep);
    return read(join(path.slice(0, at + marker.length), first.startsWith("@") ? join(first, second) : first));
  }

  function find(name: string, folder: string): Installed | undefined {
    const key = `${name}\n${folder}`;
    if (named.has(key)) return named.get(key);
    const above = dirname(folder);
    const found = read(join(folder, "node_modules", name)) ?? (above === folder ? undefined : find(name, above));
    named.set(key, found);
    return found;
  }

  function versionsOf(root: Installed): readonly string[] {
    const before = versions.get(root.folder);
    if (before !== undefined) return before;
    const found = new Map([[root.folder, root]]);
    for (const { folder, manifest } of found.values()) {
      for (const name of Object.keys({ ...manifest.dependencies, ...manifest.peerDependencies })) {
        if (
          /^(orcajs$|@orcajs\/)/.test(name) ||
          (manifest.optionalDependencies && name in manifest.optionalDependencies)
        )
          continue;
        const dependency = find(name, folder);
        if (dependency !== undefined) found.set(dependency.folder, dependency);
      }
    }
    const all = [...new Set([...found.values()].map(({ name, version }) => `${name}@${version}`))];
    versions.set(root.folder, all);
    return all;
  }

  function read(folder: string): Installed | undefined {
    if (!inFolder.has(folder)) inFolder.set(folder, readPackage(folder));
    return inFolder.get(folder);
  }
}

/** The package that a folder holds, if it has a name and a version. */
export function readPackage(folder: string): Installed | undefined {
  let manifest: Manifest;
  let real: string;
  try {
    real = realpathSync(folder); // pnpm's packages find each other from where they really are
    manifest = JSON.parse(readFileSync(join(real, "package.json"), "utf8")) as Manifest;
  } catch {
    return undefined; // no package: whoever needs one says so
  }
  const { name, version } = manifest;
  return name === undefined || version === undefined ? undefined : { folder: real, name, version, manifest };
}

const PREFIX = "orca-package:";

/** What a flat module imports a package as: a specifier alone doesn't say which of two installed versions it means. */
export function packageSpecifier(number: number): string {
  return `${PREFIX}${number}`;
}

/** Finds them in a text. */
export const PACKAGE_SPECIFIER = new RegExp(`${PREFIX}\\d+`, "g");

export function isPackageSpecifier(value: unknown): value is string {
  return typeof value === "string" && value.startsWith(PREFIX);
}
