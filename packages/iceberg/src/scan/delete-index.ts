/** Which delete files apply to a data file ("Scan Planning"). */
import { IcebergError } from "../errors.ts";
import type { TypedPartitionField } from "../partition/spec.ts";
import type { PrimitiveType } from "../schema/type.ts";
import { compareValues, valueKey } from "../values/compare.ts";
import { fromBytes } from "../values/binary.ts";
import { textOf } from "../values/bytes.ts";
import type { PrimitiveValue } from "../values/value.ts";
import type { PlannedFile } from "./file-task.ts";

/** The column of position deletes that has the data file's path ("Reserved Field IDs"). */
export const FILE_PATH_ID = 2_147_483_546;
/** The one that has the row's position. */
export const POSITION_ID = 2_147_483_545;

export interface PartitionOfFile {
  readonly specId: number;
  readonly file: Pick<PlannedFile["file"], "partition">;
}

/** What tells the partitions of all specs apart. */
export function partitionKey({ specId, file }: PartitionOfFile): string {
  return JSON.stringify([specId, ...file.partition.map((v) => (v === null ? null : valueKey(v)))]);
}

export interface DeleteIndexContext {
  /** Of a spec. */
  readonly fieldsOf: (specId: number) => readonly TypedPartitionField[];
  /** The type of a column, also of one that was dropped. */
  readonly typeOf: (id: number) => PrimitiveType | undefined;
}

export class DeleteIndex {
  readonly #context: DeleteIndexContext;
  /** By partition: position deletes and equality deletes. */
  readonly #ofPartition = new Map<string, PlannedFile[]>();
  /** By path: deletion vectors, and position deletes of one file. */
  readonly #ofFile = new Map<string, PlannedFile[]>();
  /** Equality deletes of unpartitioned specs. */
  readonly #ofAll: PlannedFile[] = [];
  readonly isEmpty: boolean;

  constructor(deletes: readonly PlannedFile[], context: DeleteIndexContext) {
    this.#context = context;
    this.isEmpty = deletes.length === 0;
    for (const entry of deletes) {
      const path = onlyFileOf(entry);
      if (path !== undefined) push(this.#ofFile, path, entry);
      else if (isGlobal(entry, context)) this.#ofAll.push(entry);
      else push(this.#ofPartition, partitionKey(entry), entry);
    }
  }

  of(data: PlannedFile): readonly PlannedFile[] {
    if (this.isEmpty) return [];
    const key = partitionKey(data);
    const ofFile = (this.#ofFile.get(data.file.path) ?? []).filter(
      (entry) => data.sequenceNumber <= entry.sequenceNumber && partitionKey(entry) === key,
    );
    const vectors = ofFile.filter(isVector);
    if (vectors.length > 1)
      throw new IcebergError(
        "invalid-manifest",
        `data file ${data.file.path} has several deletion vectors, where one is allowed`,
      );
    const others = [...(this.#ofPartition.get(key) ?? []), ...this.#ofAll].filter((entry) =>
      entry.file.content === "equality-deletes" ? this.#mayEqual(entry, data) : mayHavePosition(entry, data),
    );
    // a vector holds what position deletes said before it
    if (vectors.length > 0) return [...vectors, ...others.filter((e) => e.file.content === "equality-deletes")];
    return [...ofFile, ...others];
  }

  /** Whether an equality delete may be of a row of a file: it is newer, and their bounds overlap in every column that it compares. */
  #mayEqual({ file: deletes, sequenceNumber }: PlannedFile, { file, sequenceNumber: own }: PlannedFile): boolean {
    if (own >= sequenceNumber) return false;
    return (deletes.equalityIds ?? []).every((id) => {
      const type = this.#context.typeOf(id);
      if (type === undefined) return true;
      if (deletes.nullCounts?.get(id) !== 0) return true; // a null may be among the deletes
      const [from, to] = [boundOf(type, deletes.lowerBounds?.get(id)), boundOf(type, deletes.upperBounds?.get(id))];
      const [low, high] = [boundOf(type, file.lowerBounds?.get(id)), boundOf(type, file.upperBounds?.get(id))];
      if (type.kind === "float" || type.kind === "double") return true; // bounds leave NaN out
      if (to !== undefined && low !== undefined && compareValues(to, low) < 0) return false;
      return !(from !== undefined && high !== undefined && compareValues(from, high) > 0);
    });
  }
}

export function isVector({ file }: PlannedFile): boolean {
  return file.format === "puffin";
}

/** The one file that position deletes are of, if they are of one: it is named, or is both bounds of the paths. */
export function onlyFileOf({ file }: PlannedFile): string | undefined {
  if (file.content !== "position-deletes") return undefined;
  if (file.referencedDataFile !== undefined) return file.referencedDataFile;
  const [lower, upper] = [file.lowerBounds?.get(FILE_PATH_ID), file.upperBounds?.get(FILE_PATH_ID)];
  // a bound that was cut short isn't equal to the other: that one was incremented
  return lower !== undefined && upper !== undefined && Buffer.compare(lower, upper) === 0 ? textOf(lower) : undefined;
}

function mayHavePosition(deletes: PlannedFile, { file, sequenceNumber }: PlannedFile): boolean {
  if (sequenceNumber > deletes.sequenceNumber) return false;
  const [lower, upper] = [deletes.file.lowerBounds?.get(FILE_PATH_ID), deletes.file.upperBounds?.get(FILE_PATH_ID)];
  const path = Buffer.from(file.path);
  return (
    (lower === undefined || Buffer.compare(lower, path) <= 0) &&
    (upper === undefined || Buffer.compare(upper, path) >= 0)
  );
}

function isGlobal({ specId, file }: PlannedFile, { fieldsOf }: DeleteIndexContext): boolean {
  return file.content === "equality-deletes" && fieldsOf(specId).every(({ transform }) => transform.kind === "void");
}

function boundOf(type: PrimitiveType, bytes: Uint8Array | undefined): PrimitiveValue | undefined {
  if (bytes === undefined) return undefined;
  try {
    return fromBytes(type, bytes);
  } catch (error) {
    if (error instanceof IcebergError) return undefined; // unreadable bounds say nothing
    throw error;
  }
}

function push<K, V>(map: Map<K, V[]>, key: K, value: V): void {
  const values = map.get(key);
  if (values === undefined) map.set(key, [value]);
  else values.push(value);
}
