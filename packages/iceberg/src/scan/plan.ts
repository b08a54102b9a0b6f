/** Which files a scan reads ("Scan Planning"). */
import type { Abortable } from "@orcajs/objectstore";
import type { TableState } from "../catalog/table-operations.ts";
import { IcebergError } from "../errors.ts";
import type { TableFiles } from "../files/table-files.ts";
import type { ManifestEntry, ManifestFile } from "../manifest/data-file.ts";
import { fileStats, manifestStats, partitionStats } from "../manifest/stats.ts";
import { allFieldsById, partitionFieldsOf } from "../metadata/all-fields.ts";
import type { Snapshot, TableMetadata } from "../metadata/table-metadata.ts";
import type { TypedPartitionField } from "../partition/spec.ts";
import { allMatch } from "../predicate/all-match.ts";
import { bind, type BoundPredicate, columnsOf } from "../predicate/bind.ts";
import { mayMatch } from "../predicate/may-match.ts";
import { ALWAYS, type Predicate } from "../predicate/predicate.ts";
import { projectPredicate } from "../predicate/project.ts";
import { fieldsById, type Schema } from "../schema/schema.ts";
import { isNested, type PrimitiveType } from "../schema/type.ts";
import { DeleteIndex } from "./delete-index.ts";
import type { FileTask, PlannedFile } from "./file-task.ts";
import { appendedEntries, type ChangesBetween } from "./incremental.ts";
import { inParallel } from "../in-parallel.ts";
import { encrypted, liveEntries, MANIFESTS_AT_ONCE, manifestsOf } from "./manifest-source.ts";
import { chosenSnapshot, type SnapshotChoice } from "./snapshot-choice.ts";

export interface PlanOptions extends Abortable {
  /** Default: all rows. */
  readonly where?: Predicate | undefined;
  /** Default: that of `main`. */
  readonly snapshot?: SnapshotChoice | undefined;
  /** Only the rows that were appended between two snapshots. */
  readonly changes?: ChangesBetween | undefined;
}

export interface ScanPlan {
  /** Undefined if the table has none yet: there is nothing to read then. */
  readonly snapshot: Snapshot | undefined;
  /** The schema that rows are read as. */
  readonly schema: Schema;
  readonly filter: BoundPredicate;
  readonly tasks: readonly FileTask[];
}

/**
 * The files of a snapshot that may have rows which a filter selects, with the deletes that apply to each.
 *
 * @throws IcebergError `snapshot-missing`; `invalid-predicate`; `file-missing` or `invalid-manifest`, with the manifest; `unsupported`.
 */
export async function planFiles(
  { state: { metadata }, files }: { readonly state: TableState; readonly files: TableFiles },
  options: PlanOptions = {},
): Promise<ScanPlan> {
  const { where = ALWAYS, changes, signal } = options;
  const choice = changes?.to === undefined ? options.snapshot : { id: changes.to };
  const { snapshot, schema } = chosenSnapshot(metadata, choice);
  const filter = bind(where, schema);
  if (snapshot === undefined) return { snapshot, schema, filter, tasks: [] };
  const pruning = new Pruning(metadata, schema, filter);
  if (changes !== undefined) {
    const entries = await appendedEntries(metadata, files, snapshot, changes, { ...pruning.readOptions, signal }, (m) =>
      pruning.mayHaveFiles(m),
    );
    return { snapshot, schema, filter, tasks: pruning.tasksOf(entries, new DeleteIndex([], pruning)) };
  }
  const manifests = (await manifestsOf(files, snapshot, { signal })).filter((m) => pruning.mayHaveFiles(m));
  const read = (content: ManifestFile["content"]) => {
    const wanted = manifests.filter((m) => m.content === content);
    return inParallel(MANIFESTS_AT_ONCE, wanted, async (manifest) => {
      const { readOptions } = pruning;
      const statistics = content === "deletes" || readOptions.statistics;
      const select = pruning.selectOf(manifest.specId);
      const entries = await liveEntries(files, manifest, { statistics, ...(select && { select }), signal });
      return entries.map((entry) => ({ entry, specId: manifest.specId }));
    });
  };
  const deletes = (await read("deletes")).flat().map(({ entry, specId }) => planned(entry, specId));
  pruning.need(deletes.flatMap((d) => d.file.equalityIds ?? []));
  const index = new DeleteIndex(deletes, pruning);
  return { snapshot, schema, filter, tasks: pruning.tasksOf((await read("data")).flat(), index) };
}

/** An entry, and the spec of its manifest. */
export interface EntryOfSpec {
  readonly entry: ManifestEntry;
  readonly specId: number;
}

/** What a filter rules out. */
class Pruning {
  readonly #metadata: TableMetadata;
  readonly #schema: Schema;
  #all: ReturnType<typeof allFieldsById> | undefined;
  readonly #filter: BoundPredicate;
  readonly #columns: ReturnType<typeof fieldsById>;
  readonly #statistics: Set<number>;
  readonly #specs = new Map<number, { fields: readonly TypedPartitionField[]; projected: BoundPredicate }>();

  constructor(metadata: TableMetadata, schema: Schema, filter: BoundPredicate) {
    this.#metadata = metadata;
    this.#schema = schema;
    this.#filter = filter;
    this.#columns = fieldsById(schema);
    this.#statistics = new Set(columnsOf(filter).map((column) => column.id));
  }

  readonly fieldsOf = (specId: number): readonly TypedPartitionField[] => this.#spec(specId).fields;

  readonly typeOf = (id: number): PrimitiveType | undefined => {
    this.#all ??= allFieldsById(this.#metadata, this.#schema);
    const type = this.#all.get(id)?.field.type;
    return type === undefined || isNested(type) ? undefined : type;
  };

  /** Has the statistics of more columns read. */
  need(ids: readonly number[]): void {
    for (const id of ids) this.#statistics.add(id);
  }

  get readOptions(): { readonly statistics: false | ReadonlySet<number> } {
    return { statistics: this.#statistics.size === 0 ? false : this.#statistics };
  }

  mayHaveFiles(manifest: ManifestFile): boolean {
    const { fields, projected } = this.#spec(manifest.specId);
    return (
      (manifest.addedFiles !== 0 || manifest.existingFiles !== 0) &&
      mayMatch(projected, manifestStats(manifest.partitions, fields))
    );
  }

  /** Undefined if partitions rule nothing out. */
  selectOf(specId: number): ((partition: PlannedFile["file"]["partition"]) => boolean) | undefined {
    const { fields, projected } = this.#spec(specId);
    if (columnsOf(projected).length === 0 && mayMatch(projected, () => ({}))) return undefined;
    return (partition) => mayMatch(projected, partitionStats(partition, fields));
  }

  tasksOf(entries: readonly EntryOfSpec[], deletes: DeleteIndex): readonly FileTask[] {
    const hasFilter = columnsOf(this.#filter).length > 0 || !mayMatch(this.#filter, () => ({}));
    const tasks = entries.flatMap(({ entry, specId }) => {
      const stats = fileStats(entry.file, this.#columns, this.fieldsOf(specId));
      if (hasFilter && !mayMatch(this.#filter, stats)) return [];
      const file = planned(entry, specId, deletes.isEmpty);
      return [{ file, deletes: deletes.of(file), isWhole: !hasFilter || allMatch(this.#filter, stats) }];
    });
    // the oldest first, whatever the order of manifests: rows come as they were committed, as far as anything gives them an order
    return tasks.toSorted((a, b) => a.file.sequenceNumber - b.file.sequenceNumber);
  }

  #spec(id: number) {
    const known = this.#specs.get(id);
    if (known !== undefined) return known;
    const fields = partitionFieldsOf(this.#metadata, id, this.#schema);
    const spec = { fields, projected: projectPredicate(this.#filter, fields) };
    this.#specs.set(id, spec);
    return spec;
  }
}

/** @param isAlone whether no deletes apply, so that a sequence number which a writer left out isn't missed. */
function planned({ file, sequenceNumber }: ManifestEntry, specId: number, isAlone = false): PlannedFile {
  if (file.keyMetadata !== undefined) throw encrypted(`file ${file.path}`);
  if (sequenceNumber === undefined && !isAlone)
    throw new IcebergError(
      "invalid-manifest",
      `file ${file.path} has no sequence number, so that it can't be told which deletes apply`,
    );
  return { specId, file, sequenceNumber: sequenceNumber ?? 0 };
}
