import { randomUUID } from "node:crypto";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { FolderOperations } from "../catalog/folder/folder-operations.ts";
import { openCatalog } from "../catalog/open.ts";
import { uncompressed } from "../commit/uncompressed.fixture.ts";
import { Engine } from "../engine/engine.ts";
import { IcebergError } from "../errors.ts";
import { TableFiles } from "../files/table-files.ts";
import { ge } from "../predicate/predicate.ts";
import { readManifestList } from "../manifest/manifest-list.ts";
import { manifestsOf } from "../scan/manifest-source.ts";
import { Table } from "../table.ts";

const RUNS = 60;
const ROWS = 60;

const engine = new Engine({ threads: 1 });
afterAll(() => engine[Symbol.asyncDispose]());

/** The kinds of files of a table, and one file of each. */
const KINDS = ["metadata file", "version hint", "manifest list", "manifest", "data file"] as const;
type Kind = (typeof KINDS)[number];
let location: string;
let paths: Readonly<Record<Kind, string>>;
let whole: ReadonlyMap<string, Uint8Array>;

beforeAll(async () => {
  await using catalog = openCatalog(`memory:${randomUUID()}`, { engine: { threads: 1 } });
  await catalog.createNamespace("a");
  const table = await catalog.createTable("a.t", {
    columns: { id: "long", day: "date", name: "string?", tags: ["int"] },
    partitionBy: ["day"],
  });
  for (let append = 0; append < 3; append++)
    await table.append(
      Array.from({ length: ROWS / 3 }, (_, i) => ({
        id: append * 100 + i,
        day: i % 2 === 0 ? "2024-05-01" : "2024-05-02",
        name: i % 5 === 0 ? null : `name ${i}`,
        tags: Array.from({ length: i % 3 }, (__, n) => n),
      })),
    );
  const { operations, metadata, state } = table;
  location = table.location;
  const snapshot = metadata.snapshots.at(-1)!;
  const manifests = await manifestsOf(operations.files, snapshot, {});
  paths = {
    "metadata file": state.metadataLocation,
    "version hint": `${location}/metadata/version-hint.text`,
    "manifest list": snapshot["manifest-list"]!,
    manifest: manifests[1]!.path,
    "data file": (await table.scan().files())[1]!.file.file.path,
  };
  const all = new Map<string, Uint8Array>();
  for await (const { uri } of operations.files.list(location)) all.set(uri, await operations.files.read(uri));
  whole = all;
});

/** Puts the table back as it was, with other bytes in one file, and opens it as another process would. */
async function damaged(path: string, bytes: Uint8Array): Promise<{ open(): Promise<Table> }> {
  const files = new TableFiles();
  const there: string[] = [];
  for await (const { uri } of files.list(location)) there.push(uri);
  await files.delete(there);
  for (const [uri, content] of whole) await files.write(uri, uri === path ? bytes : content);
  const operations = new FolderOperations("a.t", location, files);
  return { open: async () => new Table(operations, await operations.load(), engine) };
}

/** One change of bytes: a bit of one, or some are set, cut out or put in, or all from there on are cut off. */
const change = fc.record({
  at: fc.nat(),
  kind: fc.constantFrom("flip", "flip", "flip", "set", "cut out", "put in", "cut off"),
  bytes: fc.uint8Array({ minLength: 1, maxLength: 4 }),
});
type Change = typeof change extends fc.Arbitrary<infer T> ? T : never;

function changed(bytes: Uint8Array, { at, kind, bytes: other }: Change): Uint8Array {
  const start = at % (bytes.length + 1);
  const [before, after] = [bytes.subarray(0, start), bytes.subarray(start)];
  switch (kind) {
    case "flip": {
      const flipped = bytes.slice();
      if (start < bytes.length) flipped[start]! ^= 1 << (other[0]! % 8);
      return flipped;
    }
    case "set":
      return Buffer.concat([before, other, after.subarray(other.length)]);
    case "cut out":
      return Buffer.concat([before, after.subarray(other.length)]);
    case "put in":
      return Buffer.concat([before, other, after]);
    case "cut off":
      return before;
    default:
      return kind satisfies never;
  }
}

/** What work comes to: what it gives, or the code of the error of this package that it ends with. @throws what it isn't to end with. */
async function outcomeOf<T>(work: () => Promise<T>): Promise<T | string> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof IcebergError && error.code !== "query-failed") return error.code;
    throw error;
  }
}

/** An Avro file up to its first block: the header ends with the first of its sync markers, which are its last bytes too. */
function withoutBlocks(avro: Uint8Array): Uint8Array {
  const sync = avro.subarray(-16);
  return avro.subarray(0, Buffer.from(avro).indexOf(sync) + sync.length);
}

const countOf = async (table: Table): Promise<number> => (await table.scan().toArray()).length;

/** What a scan and an append of one row come to with a damaged file: counts of rows, or codes. */
async function outcomesOf(path: string, bytes: Uint8Array) {
  const { open } = await damaged(path, bytes);
  const rows = await outcomeOf(async () => await countOf(await open()));
  await outcomeOf(async () => await (await open()).scan({ where: ge("id", 105) }).toArray());
  const appended = await outcomeOf(async () => {
    await (await open()).append([{ id: 1000, day: "2024-05-01", name: null, tags: [] }]);
    return 1;
  });
  const after = await outcomeOf(async () => await countOf(await open()));
  return { rows, appended, after };
}

/** Whether all rows are there, wherever any are given. */
function isWhole({ rows, appended, after }: Awaited<ReturnType<typeof outcomesOf>>): boolean {
  const isScanned = typeof rows === "string" || rows === ROWS;
  return isScanned && (typeof after === "string" || after === ROWS + (appended === 1 ? 1 : 0));
}

describe.each(KINDS)("a table with a %s whose bytes were changed, cut or put in", (kind) => {
  const isAvro = kind.startsWith("manifest");

  it("has all of its rows, or it is an error with a code, in a scan and an append", async () => {
    const path = paths[kind];
    const asItIs = whole.get(path)!;
    const plain = isAvro ? await uncompressed(asItIs) : asItIs;
    const changes = fc.array(change, { minLength: 1, maxLength: 2 });
    await fc.assert(
      fc.asyncProperty(changes, fc.boolean(), async (all, isPlain) => {
        const outcomes = await outcomesOf(path, all.reduce(changed, isPlain ? plain : asItIs));
        expect(outcomes).toSatisfy(isWhole);
      }),
      { numRuns: RUNS },
    );
  }, 120_000);
});

describe("a table with a manifest list", () => {
  it("that ends behind its header, which is a list of nothing by itself, can't be read or appended to", async () => {
    const path = paths["manifest list"];
    const cut = withoutBlocks(whole.get(path)!);
    expect(await readManifestList(cut, path)).toEqual([]);
    expect(await outcomesOf(path, cut)).toEqual({
      rows: "invalid-manifest",
      appended: "invalid-manifest",
      after: "invalid-manifest",
    });
  });
});
