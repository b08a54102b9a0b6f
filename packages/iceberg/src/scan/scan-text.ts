/** The text of a scan: for files that are read alike a query, without the rows that are deleted. */
import { quotedName } from "../engine/duck-type.ts";
import { allFieldsById } from "../metadata/all-fields.ts";
import { specOf } from "../metadata/table-metadata.ts";
import { mappingOfTable } from "../schema/name-mapping.ts";
import { promoted } from "../schema/promote.ts";
import { fieldsById, type FieldPlace } from "../schema/schema.ts";
import { isNested } from "../schema/type.ts";
import type { Value } from "../values/value.ts";
import { type DeleteFiles, equalitySql, optional, positionsSql, Scopes } from "./deletes-sql.ts";
import { FILE_INDEX, FileGroup, ROW_POSITION } from "./file-group.ts";
import type { FileLayout } from "./file-layout.ts";
import type { FileTask } from "./file-task.ts";
import { filterSql } from "./filter-sql.ts";
import type { ScanQuery } from "./scan-query.ts";

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

/** Writes the text of a scan, whose files and their columns are known. */
export class ScanText {
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
