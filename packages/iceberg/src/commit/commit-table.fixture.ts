/** Tables whose data files are only said to be: for tests of what commits do to them. */
import { randomUUID } from "node:crypto";
import type { Abortable, ObjectBody } from "@orcajs/objectstore";
import type { CreateTableOptions } from "../catalog/catalog.ts";
import { FolderOperations } from "../catalog/folder/folder-operations.ts";
import { openCatalog } from "../catalog/open.ts";
import type { TableOperations, TableState } from "../catalog/table-operations.ts";
import { type ReadFileOptions, TableFiles } from "../files/table-files.ts";
import type { DataFile, ManifestFile } from "../manifest/data-file.ts";
import { MAIN, snapshotOfRef } from "../metadata/table-metadata.ts";
import { liveEntries, manifestsOf } from "../scan/manifest-source.ts";
import { planFiles } from "../scan/plan.ts";
import { lowerBound, upperBound } from "../values/bounds.ts";
import type { FileOfSpec } from "./file-change.ts";

const LONG = { kind: "long" } as const;
/** The column `id`. */
const ID = 1;

export interface SaidFile {
  /** The lowest and the highest `id`. */
  readonly ids?: readonly [bigint, bigint] | undefined;
  /** Of a table that is partitioned by `day`. */
  readonly day?: number | null | undefined;
  readonly specId?: number | undefined;
  readonly records?: number | undefined;
  readonly sizeBytes?: number | undefined;
  readonly content?: DataFile["content"] | undefined;
  readonly of?: string | undefined;
}

/** What a process does with files, counted. */
export class CountedFiles extends TableFiles {
  reads: string[] = [];
  streams: string[] = [];
  writes: string[] = [];
  deletes: string[] = [];

  override async read(uri: string, options?: ReadFileOptions): Promise<Uint8Array> {
    this.reads.push(uri);
    return await super.read(uri, options);
  }

  override async stream(uri: string, options?: ReadFileOptions): Promise<ReadableStream<Uint8Array>> {
    this.streams.push(uri);
    return await super.stream(uri, options);
  }

  override async write(uri: string, body: ObjectBody, options?: Abortable): Promise<void> {
    this.writes.push(uri);
    await super.write(uri, body, options);
  }

  override async delete(uris: Iterable<string>, options?: Abortable): Promise<void> {
    const all = [...uris];
    this.deletes.push(...all);
    await super.delete(all, options);
  }
}

/** A table in memory with columns `id` and `day`. */
export class CommitTable {
  readonly operations: TableOperations;
  readonly files: CountedFiles;
  readonly location: string;

  private constructor(location: string) {
    this.location = location;
    this.files = new CountedFiles();
    this.operations = new FolderOperations("a.t", location, this.files);
  }

  static async make(
    options: Pick<CreateTableOptions, "partitionBy" | "properties" | "formatVersion"> = {},
    at = `memory:${randomUUID()}`,
  ): Promise<CommitTable> {
    await using catalog = openCatalog(at);
    await catalog.createNamespace("a");
    const table = await catalog.createTable("a.t", { columns: { id: "long", day: "date?" }, ...options });
    return new CommitTable(table.location);
  }

  /** Another process's. */
  another(): CommitTable {
    return new CommitTable(this.location);
  }

  load(): Promise<TableState> {
    return this.operations.load();
  }

  /** Operations that do something before they commit, or instead. */
  with(commit: (next: () => Promise<TableState>) => Promise<TableState>): TableOperations {
    const { operations } = this;
    return {
      name: operations.name,
      files: operations.files,
      load: (options) => operations.load(options),
      commit: (base, change, options) => commit(() => operations.commit(base, change, options)),
    };
  }

  /** Writes a file that is only said to be one of rows. */
  async file(of: SaidFile = {}): Promise<FileOfSpec> {
    const { day, ids, content = "data", records = 10 } = of;
    const path = `${this.location}/data/${randomUUID()}.parquet`;
    await writeUncounted(this.files, path);
    return {
      specId: of.specId ?? 0,
      file: {
        content,
        path,
        format: "parquet",
        partition: day === undefined ? [] : [day],
        recordCount: records,
        sizeBytes: of.sizeBytes ?? 100,
        ...(ids && {
          valueCounts: new Map([[ID, records]]),
          nullCounts: new Map([[ID, 0]]),
          lowerBounds: new Map([[ID, lowerBound(LONG, ids[0])]]),
          upperBounds: new Map([[ID, upperBound(LONG, ids[1])!]]),
        }),
        ...(content === "equality-deletes" && { equalityIds: [ID] }),
        ...(of.of !== undefined && { referencedDataFile: of.of }),
      },
    };
  }

  /** The paths of the data files of a branch, in order. */
  async paths(branch = MAIN): Promise<readonly string[]> {
    const state = await this.load();
    const { tasks } = await planFiles({ state, files: this.files }, { snapshot: { ref: branch } });
    return tasks.map(({ file }) => file.file.path).toSorted();
  }

  async manifests(branch = MAIN): Promise<readonly ManifestFile[]> {
    const snapshot = snapshotOfRef((await this.load()).metadata, branch);
    return snapshot === undefined ? [] : await manifestsOf(this.files, snapshot, {});
  }

  async entries(manifest: ManifestFile) {
    return await liveEntries(this.files, manifest, {});
  }

  /** The names of all files of the table that end so. */
  async names(ending: string): Promise<readonly string[]> {
    const found: string[] = [];
    for await (const { uri } of this.files.list(this.location))
      if (uri.endsWith(ending)) found.push(uri.slice(this.location.length + 1));
    return found;
  }
}

/** Not counted. */
async function writeUncounted(files: TableFiles, path: string): Promise<void> {
  await TableFiles.prototype.write.call(files, path, "rows");
}

export const pathsOf = (files: readonly FileOfSpec[]) => files.map(({ file }) => file.path).toSorted();

/** The code of the error that ends it. */
export const codeOf = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => "done",
    (error: unknown) => (error as { code?: unknown }).code ?? error,
  );
