/** The programs of registered pipelines, kept as they were when they were registered: a run keeps its program whatever becomes of the file. */
import { createHash, randomUUID } from "node:crypto";
import { createReadStream } from "node:fs";
import { chmod, copyFile, mkdir, readdir, rename, rm, stat } from "node:fs/promises";
import { basename, join } from "node:path";
import { OrcaError } from "../core/errors.ts";

/** A copy that is younger is left where it is: it may be about to be registered. */
const COPY_MS_MIN = 3_600_000;
/** What Node has compiled isn't told from what it needs: it is compiled again, which costs a run's start 40 ms. */
const COMPILED_MS_MAX = 30 * 86_400_000;

/** Where programs are kept. */
export interface ProgramsFolder {
  /** A database's own: what another needs isn't known to it. */
  readonly kept: string;
  /** What Node has compiled of programs. */
  readonly compiled: string;
}

/** @param root as `ORCA_PROGRAMS` names it. @param database tells one from all others. */
export function programsFolder(root: string, database: string): ProgramsFolder {
  return { kept: join(root, database), compiled: compiledIn(root) };
}

export function compiledIn(root: string): string {
  return join(root, ".compiled");
}

/** Keeps a copy of a program by the hash of its content. @returns where it is. @throws OrcaError `not-a-program` */
export async function keepProgram(file: string, { kept: folder }: Pick<ProgramsFolder, "kept">): Promise<string> {
  const found = await stat(file).catch(() => undefined);
  if (found === undefined || !found.isFile())
    throw new OrcaError(
      "not-a-program",
      `there is no file ${file}: give a program that orca build made, or a pipeline's .ts file`,
    );
  const hash = await hashOf(file);
  const name = basename(file).replaceAll(".", "-"); // Node goes by a file's ending
  const kept = join(folder, `${name}-${hash.slice(0, 16)}`);
  if (await isTouched(kept)) return kept;
  await mkdir(folder, { recursive: true });
  const copy = `${kept}.${randomUUID()}`;
  try {
    await copyFile(file, copy);
    await chmod(copy, 0o755);
    await rename(copy, kept);
  } finally {
    await rm(copy, { force: true });
  }
  return kept;
}

/** Whether there is a copy, which is as young as a new one then. Its time of modification stays: that tells processes of it that it is theirs. */
async function isTouched(kept: string): Promise<boolean> {
  return await chmod(kept, 0o755).then(
    () => true,
    () => false,
  );
}

/** @throws OrcaError `not-a-program` if a copy was removed since it was kept. */
export async function checkKept(program: string): Promise<void> {
  if (await stat(program).catch(() => undefined)) return;
  throw new OrcaError("not-a-program", `${program} was removed while it was being registered: register it again`);
}

/**
 * Removes the copies that nothing needs, and old ones of what Node has compiled. What can't be removed is left for the next time.
 *
 * @param needed the programs of all registered pipelines, and of the runs that are going on. No program is registered meanwhile.
 * @returns how many programs were removed.
 */
export async function removeUnneeded(
  { kept, compiled }: ProgramsFolder,
  needed: ReadonlySet<string>,
  now: Date,
): Promise<number> {
  await removeFiles(compiled, (_file, ageMs) => ageMs > COMPILED_MS_MAX, now);
  return await removeFiles(kept, (file, ageMs) => ageMs > COPY_MS_MIN && !needed.has(file), now);
}

async function removeFiles(
  folder: string,
  isOver: (file: string, ageMs: number) => boolean,
  now: Date,
): Promise<number> {
  let removed = 0;
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []);
  for (const entry of entries) {
    const file = join(entry.parentPath, entry.name);
    const found = entry.isFile() ? await stat(file).catch(() => undefined) : undefined;
    if (found === undefined || !isOver(file, now.getTime() - found.ctimeMs)) continue;
    await rm(file, { force: true }).then(
      () => removed++,
      () => {},
    );
  }
  return removed;
}

async function hashOf(file: string): Promise<string> {
  const hash = createHash("sha256");
  for await (const piece of createReadStream(file)) hash.update(piece as Buffer);
  return hash.digest("hex");
}
