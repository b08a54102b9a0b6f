/** Unpacks the packages with native code that a built file carries: the system loads such code from files alone. */
import { temporaryCache, userCache } from "./cache-folder.ts";

const { closeSync, fstatSync, mkdirSync, openSync, readSync, renameSync, rmSync, statSync, writeFileSync } =
  process.getBuiltinModule("node:fs");
const { dirname, join } = process.getBuiltinModule("node:path");

/** What a built file knows of the packages that it carries behind its code. */
export interface Packed {
  /** How Node is told to run the file and read no more than its code: see `start-line.ts`. */
  readonly start: string;
  /** How long the code is; what is packed is behind it. */
  readonly codeBytes: number;
  /** Of the files' paths and contents. */
  readonly hash: string;
  /** The folder of each package, by its `name@version`. */
  readonly packages: Readonly<Record<string, string>>;
  readonly files: readonly PackedFile[];
  readonly builtFor: Machine;
}

export type PackedFile = readonly [path: string, bytes: number, mode: number];

/** What native code was made for. */
export interface Machine {
  readonly platform: string;
  readonly arch: string;
  /** The C library, which Linux has several of; empty elsewhere. */
  readonly libc: string;
  /** The major version of Node. */
  readonly node: string;
}

/** The one that this process runs on. */
export function thisMachine(): Machine {
  const { platform, arch, versions } = process;
  const libc = platform !== "linux" ? "" : hasGlibc() ? "glibc" : "musl";
  return { platform, arch, libc, node: versions.node.split(".")[0]! };
}

function hasGlibc(): boolean {
  const report = process.report as NodeJS.ProcessReport & { excludeNetwork: boolean };
  const { excludeNetwork } = report;
  report.excludeNetwork = true; // names of hosts would be looked up
  const { header } = report.getReport() as { readonly header: { readonly glibcVersionRuntime?: string } };
  report.excludeNetwork = excludeNetwork;
  return header.glibcVersionRuntime !== undefined;
}

/** What is between the code and what is packed: all of that is a comment, in base64 and with a point between its parts. */
export const PACKED_PREFIX = "// ";

/**
 * Gives the folder that the packages are in, and fills it if it isn't whole: in the user's cache, or where that can't be written in a private
 * folder among the temporary files. Each file is put in its place at once, so that processes may do this at the same time.
 *
 * @throws Error with a sentence that says what to do.
 */
export function unpackNative(file: string, packed: Packed): string {
  let contents: Buffer | undefined;
  let failure: unknown;
  for (const cache of [userCache, temporaryCache]) {
    try {
      const folder = join(cache(), "native", packed.hash);
      fill(folder, packed.files, () => (contents ??= contentsOf(file, packed)));
      return folder;
    } catch (error) {
      if (error instanceof Damaged) throw error;
      failure ??= error;
    }
  }
  const why = (failure as Error).message;
  const remedy = "set XDG_CACHE_HOME to a folder that can be written";
  throw new Error(`the native code in ${file} can't be unpacked: ${why}: ${remedy}`, { cause: failure });
}

/** No other folder would help. */
class Damaged extends Error {
  constructor(file: string, cause?: unknown) {
    super(`${file} was cut short, damaged or replaced: copy it or build it again`, { cause });
  }
}

function fill(folder: string, files: readonly PackedFile[], contents: () => Buffer): void {
  let start = 0;
  for (const [path, bytes, mode] of files) {
    const place = join(folder, path);
    const end = start + bytes;
    if (statSync(place, { throwIfNoEntry: false })?.size !== bytes) put(place, contents().subarray(start, end), mode);
    start = end;
  }
}

function put(place: string, content: Buffer, mode: number): void {
  mkdirSync(dirname(place), { recursive: true, mode: 0o700 });
  const temporary = `${place}.${process.getBuiltinModule("node:crypto").randomUUID()}`;
  try {
    writeFileSync(temporary, content, { flag: "wx", mode });
    renameSync(temporary, place);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  }
}

/** @throws Damaged */
function contentsOf(file: string, { codeBytes, files, hash }: Packed): Buffer {
  const { brotliDecompressSync } = process.getBuiltinModule("node:zlib");
  let contents: Buffer;
  try {
    const parts = readFrom(file, codeBytes + PACKED_PREFIX.length).split(".");
    contents = Buffer.concat(parts.map((part) => brotliDecompressSync(Buffer.from(part, "base64"))));
  } catch (cause) {
    throw new Damaged(file, cause);
  }
  if (hashOf(files, [contents]) !== hash) throw new Damaged(file);
  return contents;
}

function readFrom(file: string, start: number): string {
  const opened = openSync(file, "r");
  try {
    const text = Buffer.alloc(fstatSync(opened).size - start);
    readSync(opened, text, 0, text.length, start);
    return text.toString("latin1");
  } finally {
    closeSync(opened);
  }
}

/** @param contents the files' contents, one after the other, in whatever parts. */
export function hashOf(files: readonly PackedFile[], contents: readonly Buffer[]): string {
  const hash = process.getBuiltinModule("node:crypto").createHash("sha256").update(JSON.stringify(files));
  for (const part of contents) hash.update(part);
  return hash.digest("hex");
}
