/** Finds a package for a built file: near the file, where it was when the file was built, or in the file. */
import type { ErrorCode } from "../core/errors.ts";
import type { NativePackage } from "./native-package.ts";
import { thisMachine, unpackNative, type Machine, type Packed } from "./unpack-native.ts";

const { existsSync, readFileSync, realpathSync } = process.getBuiltinModule("node:fs");
const { createRequire } = process.getBuiltinModule("node:module");
const { dirname, join, resolve } = process.getBuiltinModule("node:path");

/** It has no native code, but the client of S3: 600 files, which a bundle would take 0.4 s and a megabyte for. */
export const OBJECT_STORAGE = "@orcajs/objectstore";

/** The file that needs a package. */
export interface BuiltFile {
  readonly file: string;
  /** The packages that it carries, if it does. */
  readonly packed: Packed | undefined;
}

/**
 * Loads a package in the version that the file was built with: another one is other code than the registry hash says.
 *
 * @throws Error with a sentence that says what to install.
 */
export function requireNative(wanted: NativePackage, { file, packed }: BuiltFile): unknown {
  const { specifier, name, version, importer, folder } = wanted;
  const near = dirname(file);
  if (name === "") return requireFile(resolve(near, specifier));
  const places = [
    near,
    ...(importer === null ? [] : placesOf(importer, near).map((at) => realpathSync(at))),
    resolve(near, folder),
  ];
  let other: string | undefined;
  for (const place of places) {
    for (const at of placesOf(name, place)) {
      const installed = versionIn(at);
      if (installed !== version) other ??= `${installed} is installed in ${at}`;
      else return load(wanted, at);
    }
  }
  const remedy = `run npm install ${name}@${version} in ${near} or a folder above it`;
  const carried = packed?.packages[`${name}@${version}`];
  if (packed !== undefined && carried !== undefined) return loadPacked(wanted, file, packed, carried, remedy);
  throw missing(
    `${file} needs the package ${name} ${version}, which ${name === OBJECT_STORAGE ? "orca build --s3-logs carries" : "has native code"} and isn't in the file, and ` +
      `${other ?? "it isn't installed"}: ${remedy}`,
  );
}

/** The folders `node_modules/<name>` that code in a folder may use. */
function placesOf(name: string, folder: string): string[] {
  const above = dirname(folder) === folder ? [] : placesOf(name, dirname(folder));
  const at = join(folder, "node_modules", name);
  return existsSync(join(at, "package.json")) ? [at, ...above] : above;
}

function versionIn(folder: string): string | undefined {
  return (JSON.parse(readFileSync(join(folder, "package.json"), "utf8")) as { version?: string }).version;
}

function load({ specifier, name, version }: NativePackage, at: string): unknown {
  const beside = join(at.slice(0, -join("node_modules", name).length), "orca");
  try {
    return createRequire(beside)(specifier);
  } catch (cause) {
    const { message = String(cause), code } = cause as { message?: string; code?: string };
    const why =
      code === "ERR_REQUIRE_ASYNC_MODULE"
        ? "it awaits at its top level, which a built file can't wait for"
        : message.split("\n")[0];
    const here = `${process.platform} ${process.arch}`;
    throw missing(`the package ${name} ${version} in ${at} can't be loaded on ${here}: ${why}`, cause);
  }
}

/** @param at the package's folder among what is packed. */
function loadPacked(wanted: NativePackage, file: string, packed: Packed, at: string, remedy: string): unknown {
  const here = thisMachine();
  const { platform, arch, libc } = packed.builtFor;
  const builtFor = `${file} was built for ${textOf(packed.builtFor)}`;
  if (platform !== here.platform || arch !== here.arch || libc !== here.libc)
    throw missing(`${builtFor}, and this is ${textOf(here)}: build it here, or ${remedy}`);
  const folder = unpacked(file, packed);
  try {
    return load(wanted, join(folder, at));
  } catch (cause) {
    throw missing(`${(cause as Error).message}; ${builtFor}: build it here, or ${remedy}`, cause);
  }
}

function unpacked(file: string, packed: Packed): string {
  try {
    return unpackNative(file, packed);
  } catch (cause) {
    throw missing((cause as Error).message, cause);
  }
}

function textOf({ platform, arch, libc, node }: Machine): string {
  return [platform, arch, libc, `with Node ${node}`].filter((word) => word !== "").join(" ");
}

function requireFile(path: string): unknown {
  if (existsSync(path)) return createRequire(path)(path);
  throw missing(`there is no ${path}: native code can't be in a built file, so put it into a package and install that`);
}

function missing(sentence: string, cause?: unknown): Error {
  return Object.assign(new Error(sentence, { cause }), { code: "package-missing" satisfies ErrorCode });
}
