/** What deletes rows of a group of files, as tables that it is joined against ("Row-level Deletes"). */
import { quotedText } from "../engine/duck-type.ts";
import { IcebergError } from "../errors.ts";
import type { NameMapping } from "../schema/name-mapping.ts";
import type { FieldPlace } from "../schema/schema.ts";
import type { Field } from "../schema/type.ts";
import { FILE_PATH_ID, isVector, partitionKey, POSITION_ID } from "./delete-index.ts";
import { FileGroup } from "./file-group.ts";
import type { FileLayout } from "./file-layout.ts";
import type { FileTask, PlannedFile } from "./file-task.ts";

const PATH_FIELD: Field = { id: FILE_PATH_ID, name: "file_path", required: true, type: { kind: "string" } };
const POSITION_FIELD: Field = { id: POSITION_ID, name: "pos", required: true, type: { kind: "long" } };
/** Some writers leave the ids of these columns out. */
const DELETE_NAMES: NameMapping = [PATH_FIELD, POSITION_FIELD].map(({ id, name }) => ({
  id,
  names: [name],
  fields: [],
}));

/** Delete files, and how they are read. */
export interface DeleteFiles {
  readonly pathOf: (uri: string) => string;
  readonly layoutOf: (uri: string) => FileLayout;
  readonly mapping: NameMapping;
  /** The field of an id, also of a column that was dropped. */
  readonly fieldOf: (id: number) => FieldPlace | undefined;
}

/** Rows of `i`, the index of a data file among the tasks, and `pos`; undefined if there are none. */
export function positionsSql(tasks: readonly FileTask[], files: DeleteFiles): string | undefined {
  const deletes = distinct(tasks, (d) => d.file.content === "position-deletes" && !isVector(d));
  if (deletes.length === 0) return undefined;
  const scopes = new Scopes();
  const rows = unionSql(deletes, files, (group, some) => [
    `${group.column(PATH_FIELD)} AS uri`,
    `${group.column(POSITION_FIELD)} AS pos`,
    `${perFile(some, (d) => String(d.sequenceNumber))} AS seq`,
    `${perFile(some, (d) => scopes.of(d))} AS scope`,
  ]);
  // a file with a vector isn't among them: it holds what position deletes said before it
  const data = tasks.map((task, i) => ({ task, i })).filter(({ task }) => !task.deletes.some(isVector));
  const list = (values: readonly (string | number)[]) => `unnest([${values.join(", ")}])`;
  const known = `SELECT ${list(data.map(({ i }) => i))} AS i, ${list(data.map(({ task }) => quotedText(task.file.file.path)))} AS uri,
    ${list(data.map(({ task }) => task.file.sequenceNumber))} AS seq, ${list(data.map(({ task }) => scopes.of(task.file)))} AS scope`;
  return `SELECT f.i, p.pos FROM (${rows}) AS p JOIN (${known}) AS f
    ON p.uri = f.uri AND p.seq >= f.seq AND p.scope = f.scope`;
}

/** Deletes by the values of some columns. */
export interface EqualityDeletes {
  readonly places: readonly FieldPlace[];
  /** Rows of `k0`, `k1`, … for the places, `seq` and `scope`. */
  readonly text: string;
  /** Whether they are for all partitions, and not for that of `scope`. */
  readonly isGlobal: boolean;
}

/** One for each set of columns that is compared. @param scopes the numbers of partitions. */
export function equalitySql(
  tasks: readonly FileTask[],
  files: DeleteFiles,
  scopes: Scopes,
  isGlobal: (file: PlannedFile) => boolean,
): readonly EqualityDeletes[] {
  const byColumns = Map.groupBy(
    distinct(tasks, (d) => d.file.content === "equality-deletes"),
    (d) => JSON.stringify([isGlobal(d), ...(d.file.equalityIds ?? []).toSorted((a, b) => a - b)]),
  );
  return Array.from(byColumns.values(), (deletes) => {
    const [{ file }] = deletes as [PlannedFile];
    if (file.equalityIds === undefined || file.equalityIds.length === 0)
      throw new IcebergError("invalid-manifest", `delete file ${file.path} doesn't say which columns it compares`);
    const places = file.equalityIds.map((id) => {
      const place = files.fieldOf(id);
      if (place !== undefined) return place;
      throw new IcebergError(
        "invalid-manifest",
        `delete file ${file.path} compares column ${id}, which no schema of the table has`,
      );
    });
    const text = unionSql(deletes, files, (group, some) => [
      ...places.map((place, i) => `${group.leaf(optional(place))} AS k${i}`),
      `${perFile(some, (d) => String(d.sequenceNumber))} AS seq`,
      `${perFile(some, (d) => scopes.of(d))} AS scope`,
    ]);
    return { places, text, isGlobal: isGlobal(deletes[0]!) };
  });
}

/** Numbers for partitions: deletes apply within theirs. */
export class Scopes {
  readonly #numbers = new Map<string, number>();

  of(file: PlannedFile): string {
    const key = partitionKey(file);
    const number = this.#numbers.get(key) ?? this.#numbers.size;
    this.#numbers.set(key, number);
    return String(number);
  }
}

/** A column that files may lack, as they do if it was added or dropped. */
export function optional(place: FieldPlace): FieldPlace {
  const withoutNeed = (field: Field): Field => ({ ...field, required: false });
  return { ...place, field: withoutNeed(place.field), parents: place.parents.map(withoutNeed) };
}

/** The rows of files of several layouts. */
function unionSql(
  deletes: readonly PlannedFile[],
  { pathOf, layoutOf, mapping }: DeleteFiles,
  columnsOf: (group: FileGroup, files: readonly PlannedFile[]) => readonly string[],
): string {
  const byLayout = Map.groupBy(deletes, ({ file }) => layoutOf(file.path));
  return Array.from(byLayout, ([layout, some]) => {
    const group = new FileGroup({
      layout,
      paths: some.map(({ file }) => pathOf(file.path)),
      uri: some[0]!.file.path,
      mapping: [...DELETE_NAMES, ...mapping],
    });
    return `SELECT ${columnsOf(group, some).join(", ")} FROM ${group.from}`;
  }).join(" UNION ALL ");
}

function perFile(files: readonly PlannedFile[], valueOf: (file: PlannedFile) => string): string {
  return FileGroup.perFile(files.map(valueOf));
}

function distinct(tasks: readonly FileTask[], isWanted: (file: PlannedFile) => boolean): readonly PlannedFile[] {
  return [...new Set(tasks.flatMap((task) => task.deletes.filter(isWanted)))];
}
