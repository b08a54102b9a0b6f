/** Tables that several implementations change in turn: after each change all of them read the same rows. */
import {
  ALWAYS,
  bind,
  type Catalog,
  eq,
  type JsonObject,
  matches,
  openCatalog,
  or,
  type Predicate,
  type Table,
} from "@orcajs/iceberg";
import { expect, it } from "vitest";
import { startRest } from "../../packages/iceberg/src/catalog/rest/rest-server.fixture.ts";
import { canonicalRow, rowOf, sorted } from "./canonical.ts";
import { filterJson, idsInOrder } from "./filters.ts";
import { isJavaReady, serveJava } from "./java.ts";
import { servePython } from "./python.ts";
import type { ServedProgram } from "./served-program.ts";
import { warehouse } from "./warehouse.ts";

type Rows = readonly JsonObject[];
type Change =
  | { readonly append: Rows }
  | { readonly deleteWhere: Predicate }
  /** The filter selects whole partitions. */
  | { readonly overwriteWhere: Predicate; readonly rows: Rows };

/** Makes a change, or none, and reads the table. */
type Writer = (change?: Change) => Promise<Rows>;

const folder = warehouse();
const KINDS = ["append", "delete", "overwrite"] as const;

it.skipIf(!isJavaReady())("a table in a folder has the same rows here and for Java after each change", async () => {
  await using catalog = openCatalog(`${folder}/lake`);
  await using program = serveJava();
  const table = await newTable(catalog);
  const which = { folder: table.location };
  const [here, java] = [writerHere(table), writerThere(program, which, stepForJava)];
  await alternate(table, { here, java });

  // rows that are deleted by their values are so here, also when their file is written anew
  const rows = [901, 902, 903].map((id) => inColumns(table, { ...rowOfId(id), town: "t0" }));
  await here({ overwriteWhere: ALWAYS, rows });
  const partition = { columns: ["id"], rows: [{ id: 901 }], partitionOf: rows[0] };
  await program.ask([{ ...which, steps: [{ deleteByEquality: partition }] }]);
  expect(idsInOrder(await here())).toEqual([902, 903]);
  expect(idsInOrder(await here({ deleteWhere: eq("id", 902) }))).toEqual([903]);
  expect(idsInOrder(await java())).toEqual([903]);
});

it("a table of a REST catalog has the same rows for all after each change", async () => {
  await using server = await startRest({ warehouse: `file://${folder}/rest` });
  await using catalog = openCatalog(`rest+${server.endpoint}`);
  await using resources = new AsyncDisposableStack();
  const table = await newTable(catalog);
  const writers: Record<string, Writer> = { here: writerHere(table) };
  const python = resources.use(servePython("alternate.py", [server.endpoint]));
  writers["python"] = writerThere(python, { table: table.name }, stepForPython);
  if (isJavaReady()) {
    const which = { rest: server.endpoint, table: table.name };
    writers["java"] = writerThere(resources.use(serveJava()), which, stepForJava);
  }
  await alternate(table, writers);
  expect(table.snapshots().length).toBeGreaterThanOrEqual(2 * KINDS.length * Object.keys(writers).length);
});

/** Each writer makes each kind of change in turn, twice; columns and partitions change between. */
async function alternate(table: Table, writers: Readonly<Record<string, Writer>>): Promise<void> {
  let rows: Rows = [];
  let nextId = 0;
  for (const [turn, kind] of [...KINDS, ...KINDS].entries()) {
    if (turn === KINDS.length) {
      await table.changeSchema([{ change: "add", column: "late", type: "int?" }]);
      await table.changeSpec([{ change: "add", column: "id", transform: "bucket[2]" }]);
    }
    for (const [i, [name, write]] of Object.entries(writers).entries()) {
      const fresh = Array.from({ length: 6 }, () => rowOfId(nextId++));
      const change = changeOf(kind, fresh, rows, `t${i}`);
      rows = changed(rows, change, table).map((row) => inColumns(table, row));
      await write("rows" in change ? { ...change, rows: change.rows.map((row) => inColumns(table, row)) } : change);
      for (const [reader, read] of Object.entries(writers)) {
        const found = await read();
        expect(sorted(table.schema.fields, found), `${kind} ${turn} by ${name}, read by ${reader}`).toEqual(
          sorted(table.schema.fields, rows),
        );
      }
    }
  }
}

function rowOfId(id: number): JsonObject {
  return {
    id,
    town: id % 5 === 4 ? null : `t${id % 4}`,
    n: String(BigInt(id) * 2n ** 40n),
    late: id % 3 === 0 ? null : id,
  };
}

function changeOf(kind: (typeof KINDS)[number], fresh: Rows, rows: Rows, town: string): Change {
  if (kind === "append") return { append: fresh };
  if (kind === "overwrite") return { overwriteWhere: eq("town", town), rows: fresh.map((row) => ({ ...row, town })) };
  return { deleteWhere: or(...[0, 3, 7].map((at) => eq("id", rows[at]!["id"] as number))) };
}

/** What rows become by a change. */
function changed(rows: Rows, change: Change, table: Table): Rows {
  if ("append" in change) return [...rows, ...change.append];
  const where = bind("deleteWhere" in change ? change.deleteWhere : change.overwriteWhere, table.schema);
  const left = rows.filter((row) => !matches(where, rowOf(table.schema.fields, inColumns(table, row))));
  return "rows" in change ? [...left, ...change.rows] : left;
}

/** A row with the columns that the table has. */
function inColumns(table: Table, row: JsonObject): JsonObject {
  return Object.fromEntries(table.schema.fields.map(({ name }) => [name, row[name] ?? null]));
}

async function newTable(catalog: Catalog): Promise<Table> {
  await catalog.createNamespace("lake");
  return await catalog.createTable("lake.shared", {
    columns: { id: "int?", town: "string?", n: "long?" },
    partitionBy: ["town"],
  });
}

function writerHere(table: Table): Writer {
  const values = (rows: Rows) => rows.map((row) => rowOf(table.schema.fields, row));
  return async (change) => {
    await table.refresh();
    if (change !== undefined) {
      if ("append" in change) await table.append(values(change.append));
      else if ("deleteWhere" in change) await table.delete(change.deleteWhere);
      else await table.overwrite(values(change.rows), { where: change.overwriteWhere });
    }
    return (await table.scan().toArray()).map((row) => canonicalRow(table.schema.fields, row));
  };
}

function writerThere(program: ServedProgram, which: object, stepOf: (change: Change) => unknown): Writer {
  return async (change) => {
    const [answer] = await program.ask([{ ...which, steps: change === undefined ? [] : [stepOf(change)] }]);
    return (answer as { readonly rows: Rows }).rows;
  };
}

function stepForPython(change: Change): unknown {
  if ("append" in change) return change;
  if ("deleteWhere" in change) return { deleteWhere: filterJson(change.deleteWhere) };
  return { ...change, overwriteWhere: filterJson(change.overwriteWhere) };
}

/** Java deletes by position files. */
function stepForJava(change: Change): unknown {
  return "deleteWhere" in change ? { deleteByPosition: filterJson(change.deleteWhere) } : stepForPython(change);
}
