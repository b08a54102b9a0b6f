/** Where data files are while they are written, and how they come to their places. */
import { randomUUID } from "node:crypto";
import { createReadStream } from "node:fs";
import { mkdir, mkdtemp, open, rename, rm } from "node:fs/promises";
import path from "node:path";
import { type Abortable, ObjectStoreError } from "@orcajs/objectstore";
import type { TableFiles } from "../files/table-files.ts";

/** A folder of this machine that a write puts its files into first. */
export class Output implements AsyncDisposable {
  readonly #files: TableFiles;
  readonly #dataFolder: string;
  readonly #folder: string;
  readonly #placed: string[] = [];

  private constructor(files: TableFiles, dataFolder: string, folder: string) {
    this.#files = files;
    this.#dataFolder = dataFolder;
    this.#folder = folder;
  }

  /** For a table on this machine the folder is beneath the table's own, where files only need to be renamed and orphans are found. */
  static async open(files: TableFiles, dataFolder: string, temporaryFolder: string): Promise<Output> {
    const local = files.localPath(dataFolder);
    const parent = local ?? temporaryFolder;
    try {
      const folder = local === undefined ? await temporaryIn(parent) : path.join(parent, randomUUID());
      await mkdir(folder, { recursive: true });
      return new Output(files, dataFolder, folder);
    } catch (cause) {
      const { code = "", message } = cause as NodeJS.ErrnoException;
      const isDenied = code === "EACCES" || code === "EPERM" || code === "EROFS";
      throw new ObjectStoreError(
        isDenied ? "access-denied" : "failed",
        `no folder can be made in ${parent}, which files are written to first: ${message}`,
        { cause },
      );
    }
  }

  /** The path of something in the folder. */
  path(name: string): string {
    return path.join(this.#folder, name);
  }

  /** Brings a file from the folder to a place of its own, on the disk for good, and returns its URI. */
  async place(file: string, partition: string, options: Abortable): Promise<string> {
    const uri = [this.#dataFolder, ...(partition === "" ? [] : [partition]), `${randomUUID()}.parquet`].join("/");
    this.#placed.push(uri);
    const target = this.#files.localPath(uri);
    if (target === undefined) await this.#files.write(uri, createReadStream(file), options);
    else {
      await sync(file);
      await moved(file, target);
    }
    return uri;
  }

  /** Puts the names of the files that were placed on the disk. */
  async sync(): Promise<void> {
    const folders = new Set(
      this.#placed.flatMap((uri) => this.#files.localPath(uri) ?? []).map((file) => path.dirname(file)),
    );
    for (const folder of folders) await sync(folder);
  }

  /** Deletes the files that were placed. */
  async undo(): Promise<void> {
    await this.#files.delete(this.#placed.splice(0));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await rm(this.#folder, { recursive: true, force: true });
  }
}

/** A folder that other users of the machine can't look into. */
async function temporaryIn(parent: string): Promise<string> {
  await mkdir(parent, { recursive: true });
  return await mkdtemp(path.join(parent, "iceberg-"));
}

const FOLDER_TRIES = 10;

/** Renames a file, and makes its folder: one that was empty may be deleted meanwhile by who deletes files. */
async function moved(from: string, to: string): Promise<void> {
  for (let tries = 1; ; tries++) {
    await mkdir(path.dirname(to), { recursive: true });
    try {
      return await rename(from, to);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "ENOENT" || tries === FOLDER_TRIES) throw error;
    }
  }
}

async function sync(file: string): Promise<void> {
  const handle = await open(file, "r");
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
