/** Packs the packages with native code that a build carries. */
import { createHash, randomUUID } from "node:crypto";
import { readFileSync, statSync, type BigIntStats } from "node:fs";
import { mkdir, readFile, rename, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { brotliCompress, constants } from "node:zlib";
import { userCache } from "./cache-folder.ts";
import { nativeTree, type NativeTree } from "./native-tree.ts";
import { readPackages, type Installed } from "./package-versions.ts";
import { hashOf, PACKED_PREFIX, thisMachine, type Packed, type PackedFile } from "./unpack-native.ts";

export interface Pack {
  readonly about: Omit<Packed, "start" | "codeBytes">;
  /** What a built file has behind its code. */
  readonly text: Buffer;
}

/**
 * Reading and hashing DuckDB takes 0.2 s, and compressing it half a second more: what earlier builds made of files that didn't change since
 * is taken from the user's cache.
 *
 * @param roots packages by the names that they are imported by.
 */
export async function packNative(
  roots: readonly { readonly name: string; readonly installed: Installed }[],
): Promise<Pack> {
  const tree = nativeTree(roots, readPackages());
  const stats = tree.files.map(({ source }) => statSync(source, { bigint: true }));
  const files = tree.files.map(({ path }, i): PackedFile => {
    const { size, mode } = stats[i]!;
    return [path, Number(size), (mode & 0o100n) === 0n ? 0o600 : 0o700];
  });
  let read: readonly Buffer[] | undefined;
  const contents = () => (read ??= tree.files.map(({ source }) => readFileSync(source)));

  const hash = await kept(`hashes/${stateOf(tree, stats)}`, () => Buffer.from(hashOf(files, contents())));
  const text = await kept(`packed/${hash.toString()}.${QUALITY}`, () => compressed(Buffer.concat(contents())));
  return { about: { hash: hash.toString(), packages: tree.packages, files, builtFor: thisMachine() }, text };
}

/** Of files that are the same and didn't change: a change of the content changes the time of the last one, which no program can set. */
function stateOf({ files }: NativeTree, stats: readonly BigIntStats[]): string {
  const state = files.map(({ path, source }, i) => {
    const { dev, ino, size, mode, ctimeNs } = stats[i]!;
    return [path, source, ...[dev, ino, size, mode, ctimeNs].map(String)];
  });
  return createHash("sha256").update(JSON.stringify(state)).digest("hex");
}

/** @param name of a file in the user's cache; where that has no such file and can't have it, the content is made each time. */
async function kept(name: string, make: () => Buffer | Promise<Buffer>): Promise<Buffer> {
  let place: string | undefined;
  try {
    place = join(userCache(), name);
    return await readFile(place);
  } catch {
    const content = await make();
    if (place !== undefined) await keep(place, content).catch(() => undefined);
    return content;
  }
}

async function keep(place: string, content: Buffer): Promise<void> {
  const temporary = `${place}.${randomUUID()}`;
  await mkdir(dirname(place), { recursive: true });
  await writeFile(temporary, content, { flag: "wx", flush: true });
  await rename(temporary, place);
}

/** Brotli's: of DuckDB's 68 MB, 2 makes 22.5 in 0.5 s of two cores, 5 makes 19.9 in 1.3 s, and gzip's 1 makes 26.1 in 0.5 s. */
const QUALITY = 2;
/** In parts of this size, so that all cores work on them. */
const PART_BYTES = 4 << 20;

async function compressed(contents: Buffer): Promise<Buffer> {
  const compress = promisify(brotliCompress) as (part: Buffer, options: object) => Promise<Buffer>;
  const parts: Buffer[] = [];
  for (let at = 0; at < contents.length; at += PART_BYTES) parts.push(contents.subarray(at, at + PART_BYTES));
  const options = { params: { [constants.BROTLI_PARAM_QUALITY]: QUALITY } };
  const packed = await Promise.all(parts.map(async (part) => (await compress(part, options)).toString("base64")));
  return Buffer.from(`${PACKED_PREFIX}${packed.join(".")}\n`, "latin1");
}
