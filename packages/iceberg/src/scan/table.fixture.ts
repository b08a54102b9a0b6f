/** Tables for tests, whose files DuckDB writes. */
import { mkdir, mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import type { TableState } from "../catalog/table-operations.ts";
import { duckLiteral } from "../engine/duck-literal.ts";
import { duckType, quotedName, quotedText } from "../engine/duck-type.ts";
import { Engine } from "../engine/engine.ts";
import { TableFiles } from "../files/table-files.ts";
import type { DataFile, ManifestFile } from "../manifest/data-file.ts";
import { readManifestList, writeManifestList } from "../manifest/manifest-list.ts";
import { type NewEntry, writeManifest } from "../manifest/write-manifest.ts";
import { applyUpdates } from "../metadata/apply.ts";
import { newTable, type NewTable } from "../metadata/new-table.ts";
import { MAIN, schemaOf, snapshotOfRef, specOf, type TableMetadata } from "../metadata/table-metadata.ts";
import type { TableUpdate } from "../metadata/updates.ts";
import { childFields, type Field, isNested } from "../schema/type.ts";
import { BOUND_LENGTH, lowerBound, upperBound } from "../values/bounds.ts";
import { compareValues } from "../values/compare.ts";
import type { PrimitiveValue, StructValue, Value } from "../values/value.ts";
import { FILE_PATH_ID } from "./delete-index.ts";
import { scanTable, type Scan, type ScanOptions } from "./scan.ts";
import type { Row } from "../engine/relation.ts";

export interface NewFile {
  readonly rows: readonly StructValue[];
  /** Default: the table's now. */
  readonly fields?: readonly Field[] | undefined;
  readonly partition?: readonly (PrimitiveValue | null)[] | undefined;
  readonly hasIds?: boolean | undefined;
  readonly hasStatistics?: boolean | undefined;
  readonly content?: DataFile["content"] | undefined;
  readonly equalityIds?: readonly number[] | undefined;
  readonly name?: string | undefined;
  readonly rowGroupRows?: number | undefined;
}

export interface NewSnapshot {
  readonly operation?: string | undefined;
  readonly content?: "data" | "deletes" | undefined;
  readonly specId?: number | undefined;
  readonly nowMs?: number | undefined;
  readonly branch?: string | undefined;
}

/** A table in a folder of its own. */
export class TestTable implements AsyncDisposable {
  metadata: TableMetadata;
  readonly engine: Engine;
  readonly files = new TableFiles();
  readonly folder: string;
  readonly #ownsEngine: boolean;
  #next = 1;

  private constructor(folder: string, metadata: TableMetadata, engine: Engine | undefined) {
    this.folder = folder;
    this.metadata = metadata;
    // several threads give rows in any order
    this.engine = engine ?? new Engine({ threads: 1 });
    this.#ownsEngine = engine === undefined;
  }

  static async make(
    table: Pick<NewTable, "fields" | "partitionBy" | "formatVersion" | "properties">,
    /** Default: one of its own. */
    engine?: Engine,
    location?: string,
  ): Promise<TestTable> {
    const folder = await mkdtemp(path.join(tmpdir(), "iceberg-scan-"));
    const metadata = newTable({
      location: location ?? folder,
      uuid: "f79c3e09-677c-4bbd-a479-3f349cb785e7",
      nowMs: 1,
      ...table,
    });
    return new TestTable(folder, metadata, engine);
  }

  get state(): TableState {
    return { metadata: this.metadata, metadataLocation: `${this.metadata.location}/metadata/v1.metadata.json` };
  }

  scan<R = Row>(options: ScanOptions = {}): Scan<R> {
    const refuse = () => Promise.reject(new Error("a scan commits nothing"));
    const operations = { name: "test.table", files: this.files, load: async () => this.state, commit: refuse };
    return scanTable<R>({ operations, state: this.state, engine: this.engine }, options);
  }

  update(...updates: readonly TableUpdate[]): void {
    this.metadata = applyUpdates(this.metadata, updates, { nowMs: this.metadata["last-updated-ms"] });
  }

  /** Writes a Parquet file, and says what a manifest says of it. */
  async file(file: NewFile): Promise<DataFile> {
    const { rows, fields = schemaOf(this.metadata).fields, hasIds = true, hasStatistics = true } = file;
    const columns = fields.map((f) => `CAST(NULL AS ${duckType(f.type)}) AS ${quotedName(f.name)}`).join(", ");
    const values = rows.map((row) => `(${fields.map((f) => duckLiteral(f.type, row[f.name] ?? null)).join(", ")})`);
    const select =
      rows.length === 0
        ? `SELECT ${columns} WHERE false`
        : `SELECT * FROM (VALUES ${values.join(", ")}) AS v(${fields.map((f) => quotedName(f.name)).join(", ")})`;
    return {
      ...(await this.copy(select, { ...file, fields, hasIds })),
      ...(hasStatistics && statisticsOf(fields, rows)),
    };
  }

  /** Writes what a query gives. */
  async copy(select: string, file: Omit<NewFile, "rows">): Promise<DataFile> {
    const uri = `${this.metadata.location}/data/${file.name ?? `${this.#next++}.parquet`}`;
    const local = this.files.localPath(uri) ?? path.join(this.folder, path.basename(uri));
    const { fields = schemaOf(this.metadata).fields, hasIds = true, rowGroupRows } = file;
    const recordCount = await this.engine.use(undefined, async (connection) => {
      await mkdir(path.dirname(local), { recursive: true });
      const ids = hasIds ? `, FIELD_IDS ${idsOf(fields)}` : "";
      const size = rowGroupRows === undefined ? "" : `, ROW_GROUP_SIZE ${rowGroupRows}`;
      const copied = await connection.runAndReadAll(
        `COPY (${select}) TO ${quotedText(local)} (FORMAT parquet${ids}${size})`,
      );
      return Number(copied.getRows()[0]![0]);
    });
    const bytes = await readFile(local);
    if (this.files.localPath(uri) === undefined) await this.files.write(uri, bytes);
    return {
      content: file.content ?? "data",
      path: uri,
      format: "parquet",
      partition: file.partition ?? [],
      recordCount,
      sizeBytes: bytes.length,
      equalityIds: file.equalityIds,
    };
  }

  /** Makes a snapshot that has what `main` has, and another manifest. */
  async commit(files: readonly (DataFile | NewEntry)[], options: NewSnapshot = {}): Promise<bigint> {
    const { operation = "append", content = "data", branch = MAIN } = options;
    const { metadata } = this;
    const specId = options.specId ?? metadata["default-spec-id"];
    const parent = snapshotOfRef(metadata, branch);
    const id = BigInt(this.#next++);
    const isFirst = metadata["format-version"] === 1;
    const sequenceNumber = isFirst ? 0 : metadata["last-sequence-number"] + 1;
    const formatVersion = isFirst ? 1 : 2;
    const sync = new Uint8Array(16);
    const schemas = metadata.schemas.map((s) => schemaOf(metadata, s["schema-id"] as number));
    const { bytes, listed } = writeManifest({
      formatVersion,
      content,
      schema: schemaOf(metadata),
      olderSchemas: schemas,
      spec: specOf(metadata, specId),
      snapshotId: id,
      sequenceNumber,
      sync,
      entries: files.map((file) => ("status" in file ? file : { status: "added", snapshotId: id, file })),
    });
    const manifest = `${metadata.location}/metadata/${this.#next++}.avro`;
    await this.files.write(manifest, bytes);
    const before: readonly ManifestFile[] =
      parent?.["manifest-list"] === undefined
        ? []
        : await readManifestList(await this.files.read(parent["manifest-list"]), "");
    const list = `${metadata.location}/metadata/snap-${id}.avro`;
    const manifests = [...before, { ...listed, path: manifest }];
    await this.files.write(
      list,
      writeManifestList({
        formatVersion,
        snapshotId: id,
        parentSnapshotId: parent?.["snapshot-id"],
        sequenceNumber,
        manifests,
        sync,
      }),
    );
    this.metadata = applyUpdates(
      metadata,
      [
        {
          action: "add-snapshot",
          snapshot: {
            "snapshot-id": id,
            "parent-snapshot-id": parent?.["snapshot-id"],
            "sequence-number": sequenceNumber,
            "timestamp-ms": options.nowMs ?? metadata["last-updated-ms"] + 1,
            "manifest-list": list,
            summary: { operation },
            "schema-id": metadata["current-schema-id"],
          },
        },
        { action: "set-snapshot-ref", "ref-name": branch, type: "branch", "snapshot-id": id },
      ],
      { nowMs: options.nowMs ?? metadata["last-updated-ms"] + 1 },
    );
    return id;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#ownsEngine) await this.engine[Symbol.asyncDispose]();
    await this.files[Symbol.asyncDispose]();
    await rm(this.folder, { recursive: true });
  }
}

function idsOf(fields: readonly Field[]): string {
  return `{${fields.map((f) => `${quotedName(f.name)}: ${isNested(f.type) ? `{__duckdb_field_id: ${f.id}, ${idsOf(childFields(f.type)).slice(1, -1)}}` : f.id}`).join(", ")}}`;
}

/** Counts and bounds of columns and of fields in structs. */
function statisticsOf(fields: readonly Field[], rows: readonly StructValue[]): Partial<DataFile> {
  const [valueCounts, nullCounts, nanCounts] = [
    new Map<number, number>(),
    new Map<number, number>(),
    new Map<number, number>(),
  ];
  const [lowerBounds, upperBounds] = [new Map<number, Uint8Array>(), new Map<number, Uint8Array>()];
  const visit = (field: Field, values: readonly (Value | null)[]): void => {
    const { id, type } = field;
    if (type.kind === "struct")
      for (const child of type.fields)
        visit(
          child,
          values.map((v) => (v as StructValue | null)?.[child.name] ?? null),
        );
    if (isNested(type)) return;
    valueCounts.set(id, values.length);
    nullCounts.set(id, values.filter((v) => v === null).length);
    nanCounts.set(id, values.filter((v) => Number.isNaN(v)).length);
    const others = (values.filter((v) => v !== null && !Number.isNaN(v)) as PrimitiveValue[]).sort(compareValues);
    if (others.length === 0) return;
    const length = id === FILE_PATH_ID ? Infinity : BOUND_LENGTH; // as the specification has it for paths
    lowerBounds.set(id, lowerBound(type, others[0]!, length));
    const upper = upperBound(type, others.at(-1)!, length);
    if (upper !== undefined) upperBounds.set(id, upper);
  };
  for (const field of fields)
    visit(
      field,
      rows.map((row) => row[field.name] ?? null),
    );
  return { valueCounts, nullCounts, nanCounts, lowerBounds, upperBounds };
}
