/** A scan as one query of DuckDB's. */
import type { DuckDBConnection } from "@duckdb/node-api";
import type { Abortable } from "@orcajs/objectstore";
import { duckType, quotedName } from "../engine/duck-type.ts";
import type { PreparedQuery } from "../engine/query-source.ts";
import { IcebergError } from "../errors.ts";
import type { TableFiles } from "../files/table-files.ts";
import type { DataFile } from "../manifest/data-file.ts";
import { allFieldsById } from "../metadata/all-fields.ts";
import { specOf, type TableMetadata } from "../metadata/table-metadata.ts";
import { mappingOfTable } from "../schema/name-mapping.ts";
import { fieldsById, type FieldPlace } from "../schema/schema.ts";
import { promoted } from "../schema/promote.ts";
import { type Field, isNested } from "../schema/type.ts";
import type { Value } from "../values/value.ts";
import { isVector } from "./delete-index.ts";
import { type DeleteFiles, equalitySql, optional, positionsSql, Scopes } from "./deletes-sql.ts";
import { FILE_INDEX, FileGroup, ROW_POSITION } from "./file-group.ts";
import { faultOf } from "./file-faults.ts";
import { type FileLayout, layoutsOf } from "./file-layout.ts";
import type { FileTask } from "./file-task.ts";
import { filterSql } from "./filter-sql.ts";
import { LocalFiles } from "./local-files.ts";
import type { ScanPlan } from "./plan.ts";
import { checkRowCounts } from "./row-counts.ts";
import { vectorTable } from "./vector-table.ts";

export interface ScanQuery {
  readonly plan: Omit<ScanPlan, "snapshot">;
  /** The columns that are read, in their order. */
  readonly fields: readonly Field[];
  /** Which rows: those that the filter selects, or the others. Default: those that it selects. */
  readonly rows?: "selected" | "others" | undefined;
  /** The name of one more column, after the others: which of the plan's tasks a row is of, from 0. */
  readonly taskColumn?: string | undefined;
  readonly metadata: TableMetadata;
  readonly files: TableFiles;
  readonly temporaryFolder: string;
}

/**
 * Makes a query for the rows of a plan's files. Files of other machines are fetched first, and removed when it is disposed.
 *
 * @throws IcebergError `file-missing` or `invalid-file`, with the file; `unsupported`.
 */
export async function prepareScan(
  query: ScanQuery,
  connection: DuckDBConnection,
  options: Abortable = {},
): Promise<PreparedQuery> {
  const { plan, files, temporaryFolder } = query;
  const { tasks } = plan;
  const inDuck = parquetFiles(tasks);
  const local = new LocalFiles(files, temporaryFolder);
  const undo = new AsyncDisposableStack();
  undo.use(local);
  const explain = (error: unknown) =>
    faultOf(
      error,
      connection,
      Array.from(inDuck, ([uri, { sizeBytes }]) => ({ uri, path: local.pathOf(uri), sizeBytes })),
    );
  try {
    await local.make(inDuck.keys(), options);
    const paths = Array.from(inDuck.keys(), (uri) => local.pathOf(uri));
    const layouts = await layoutsOf(connection, paths);
    const counted = Array.from(inDuck, ([uri, { recordCount }]) => {
      const at = local.pathOf(uri);
      return { uri, path: at, recordCount, layout: layouts.get(at)! };
    });
    await checkRowCounts(connection, counted);
    const scan = new ScanText(
      query,
      (uri) => local.pathOf(uri),
      (uri) => layouts.get(local.pathOf(uri))!,
    );
    const texts: string[] = [];
    for (const some of scan.groups()) {
      const vectors = await vectorTable(connection, files, some, options);
      if (vectors !== undefined) undo.defer(() => vectors.drop());
      texts.push(scan.text(some, vectors?.name));
    }
    const text = texts.length === 0 ? noRows(query) : texts.join("\nUNION ALL ");
    return { text, explain, [Symbol.asyncDispose]: () => undo.disposeAsync() };
  } catch (error) {
    const explained = await explain(error);
    await undo.disposeAsync();
    throw explained;
  }
}

/** The files that DuckDB reads, by their URIs. */
function parquetFiles(tasks: readonly FileTask[]): ReadonlyMap<string, DataFile> {
  const found = new Map<string, DataFile>();
  for (const { file, deletes } of tasks)
    for (const entry of [file, ...deletes]) {
      const { format, path, content } = entry.file;
      if (isVector(entry) && content === "position-deletes") continue;
      if (format !== "parquet")
        throw new IcebergError("unsupported", `file ${path} is in ${format}, and only Parquet is read`);
      found.set(path, entry.file);
    }
  return found;
}

function noRows({ fields, taskColumn }: ScanQuery): string {
  const columns = fields.map((f) => `CAST(NULL AS ${duckType(f.type)}) AS ${quotedName(f.name)}`);
  if (taskColumn !== undefined) columns.push(`CAST(NULL AS INTEGER) AS ${quotedName(taskColumn)}`);
  return `SELECT ${columns.join(", ")} WHERE false`;
}

/** A column of the result: its name, quoted, and the expression for it over a group's files. */
interface ReadColumn {
  readonly name: string;
  readonly sql: string;
}

interface GroupText {
  readonly group: FileGroup;
  readonly columns: readonly ReadColumn[];
  readonly condition: string;
  /** The table of what deletion vectors have. */
  readonly vectors: string | undefined;
}

class ScanText {
  readonly #query: ScanQuery;
  readonly #deleteFiles: DeleteFiles;
  readonly #columns: ReadonlyMap<number, FieldPlace>;
  readonly #identities = new Map<number, readonly { readonly id: number; readonly index: number }[]>();
  readonly #taskNumbers: ReadonlyMap<FileTask, number>;

  constructor(query: ScanQuery, pathOf: (uri: string) => string, layoutOf: (uri: string) => FileLayout) {
    const { metadata, plan } = query;
    this.#query = query;
    this.#columns = fieldsById(plan.schema);
    this.#taskNumbers = new Map(plan.tasks.map((task, i) => [task, i]));
    const fields = allFieldsById(metadata, plan.schema);
    this.#deleteFiles = { pathOf, layoutOf, mapping: mappingOfTable(metadata), fieldOf: (id) => fields.get(id) };
  }

  /** The tasks whose files are read alike. */
  groups(): Iterable<readonly FileTask[]> {
    const { layoutOf } = this.#deleteFiles;
    const numbers = new Map<FileLayout, number>();
    return Map.groupBy(this.#query.plan.tasks, ({ file, deletes, isWhole }) => {
      const layout = layoutOf(file.file.path);
      const number = numbers.get(layout) ?? numbers.size;
      numbers.set(layout, number);
      return `${number} ${deletes.length > 0} ${isWhole}`;
    }).values();
  }

  /** @param vectors the table of what deletion vectors have. */
  text(tasks: readonly FileTask[], vectors: string | undefined): string {
    const { pathOf, layoutOf, mapping } = this.#deleteFiles;
    const group = new FileGroup({
      layout: layoutOf(tasks[0]!.file.file.path),
      paths: tasks.map(({ file }) => pathOf(file.file.path)),
      uri: tasks[0]!.file.file.path,
      mapping,
      partitions: tasks.map((task) => this.#partitionOf(task)),
    });
    const columns = this.#columnsOf(tasks, group);
    const condition = this.#condition(tasks, group);
    if (tasks.every((task) => task.deletes.length === 0))
      return `SELECT ${columns.map(({ name, sql }) => `${sql} AS ${name}`).join(", ")} FROM ${group.from}${condition}`;
    return this.#withoutDeleted(tasks, { group, columns, condition, vectors });
  }

  #columnsOf(tasks: readonly FileTask[], group: FileGroup): readonly ReadColumn[] {
    const { fields, taskColumn } = this.#query;
    const columns = fields.map((f) => ({ name: quotedName(f.name), sql: group.column(f) }));
    if (taskColumn === undefined) return columns;
    const numbers = tasks.map((task) => String(this.#taskNumbers.get(task)));
    return [...columns, { name: quotedName(taskColumn), sql: FileGroup.perFile(numbers) }];
  }

  #condition(tasks: readonly FileTask[], group: FileGroup): string {
    const { plan, rows = "selected" } = this.#query;
    const isWhole = tasks.every((task) => task.isWhole);
    if (isWhole) return rows === "selected" ? "" : " WHERE false";
    const filter = filterSql(plan.filter, {
      sqlOf: ({ id }) => group.leaf(this.#columns.get(id)!),
      mayHaveNaN: ({ id }) => tasks.some(({ file }) => file.file.nanCounts?.get(id) !== 0),
    });
    return rows === "selected" ? ` WHERE ${filter}` : ` WHERE (${filter}) IS NOT TRUE`;
  }

  #withoutDeleted(tasks: readonly FileTask[], { group, columns, condition, vectors }: GroupText): string {
    const scopes = new Scopes();
    const read = columns.map(({ sql }, i) => `${sql} AS c${i}`);
    const without: string[] = [];
    const positions = [
      positionsSql(tasks, this.#deleteFiles),
      ...(vectors === undefined ? [] : [`SELECT i, pos FROM ${vectors}`]),
    ].filter((text) => text !== undefined);
    if (positions.length > 0) {
      read.push(`${FILE_INDEX} AS i`, `${ROW_POSITION} AS pos`);
      without.push(`ANTI JOIN (${positions.join(" UNION ALL ")}) AS p ON p.i = r.i AND p.pos = r.pos`);
    }
    const equalities = equalitySql(tasks, this.#deleteFiles, scopes, (d) => this.#isGlobal(d.specId));
    if (equalities.length > 0)
      read.push(
        `${FileGroup.perFile(tasks.map((t) => String(t.file.sequenceNumber)))} AS seq`,
        `${FileGroup.perFile(tasks.map((t) => scopes.of(t.file)))} AS scope`,
      );
    for (const [n, { places, text, isGlobal }] of equalities.entries()) {
      const conditions = places.map((place, i) => {
        read.push(`${group.leaf(optional(place))} AS e${n}_${i}`);
        return `e.k${i} IS NOT DISTINCT FROM r.e${n}_${i}`;
      });
      if (!isGlobal) conditions.push("e.scope = r.scope");
      without.push(`ANTI JOIN (${text}) AS e ON ${[...conditions, "e.seq > r.seq"].join(" AND ")}`);
    }
    const shown = columns.map(({ name }, i) => `r.c${i} AS ${name}`);
    return `SELECT ${shown.join(", ")} FROM (SELECT ${read.join(", ")} FROM ${group.from}${condition}) AS r ${without.join(" ")}`;
  }

  #isGlobal(specId: number): boolean {
    return specOf(this.#query.metadata, specId).fields.every(({ transform }) => transform.kind === "void");
  }

  /** The values of the columns that a file's partition gives as they are. */
  #partitionOf({ file: { specId, file } }: FileTask): ReadonlyMap<number, Value | null> {
    const identities =
      this.#identities.get(specId) ??
      specOf(this.#query.metadata, specId).fields.flatMap(({ sourceId, transform }, index) =>
        transform.kind === "identity" ? [{ id: sourceId, index }] : [],
      );
    this.#identities.set(specId, identities);
    return new Map(
      identities.map(({ id, index }) => {
        const type = this.#columns.get(id)?.field.type;
        const value = file.partition[index] ?? null;
        return [id, type === undefined || isNested(type) ? value : promoted(type, value)];
      }),
    );
  }
}
