import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { typedFields } from "../partition/spec.ts";
import { bind } from "../predicate/bind.ts";
import { mayMatch } from "../predicate/may-match.ts";
import { eq, ge } from "../predicate/predicate.ts";
import { projectPredicate } from "../predicate/project.ts";
import { fieldsById, type Schema } from "../schema/schema.ts";
import { primitiveTypes, valuesOf } from "../values/values.fixture.ts";
import { lowerBound, upperBound } from "../values/bounds.ts";
import type { DataFile, ManifestEntry, ManifestFile } from "./data-file.ts";
import { readManifestList, writeManifestList } from "./manifest-list.ts";
import { readManifest } from "./read-manifest.ts";
import { fileStats, manifestStats } from "./stats.ts";
import { withSequenceNumber } from "./summary.ts";
import { type NewEntry, type NewManifest, writeManifest } from "./write-manifest.ts";

const schema: Schema = {
  id: 0,
  fields: [{ id: 1, name: "id", required: true, type: { kind: "long" } }],
  identifierIds: [],
};
const spec = { id: 0, fields: [{ sourceId: 1, fieldId: 1000, name: "id", transform: { kind: "identity" as const } }] };
const sync = new Uint8Array(16).fill(3);
const file = (id: bigint | null, recordCount = 10): DataFile => ({
  content: "data",
  path: `file:///t/${id}.parquet`,
  format: "parquet",
  partition: [id],
  recordCount,
  sizeBytes: 1234,
  valueCounts: new Map([[1, recordCount]]),
  nullCounts: new Map([[1, 0]]),
  lowerBounds: new Map([[1, lowerBound({ kind: "long" }, id ?? 0n)]]),
  upperBounds: new Map([[1, upperBound({ kind: "long" }, id ?? 0n)!]]),
});
const manifest = (entries: readonly NewEntry[], over: Partial<NewManifest> = {}) =>
  writeManifest({
    formatVersion: 2,
    content: "data",
    schema,
    spec,
    snapshotId: 7n,
    sequenceNumber: 5,
    entries,
    sync,
    ...over,
  });
const listedAs = (listed: Omit<ManifestFile, "path">): ManifestFile => ({ ...listed, path: "m.avro" });
const entriesOf = async (from: Uint8Array | AsyncIterable<Uint8Array>, listed: ManifestFile) =>
  (await blocksOf(from, listed)).flat();

async function blocksOf(...read: Parameters<typeof readManifest>): Promise<readonly (readonly ManifestEntry[])[]> {
  const blocks: (readonly ManifestEntry[])[] = [];
  for await (const block of readManifest(...read)) blocks.push(block);
  return blocks;
}

describe("what entries inherit from the manifest list", () => {
  const entries: NewEntry[] = [
    { status: "added", file: file(1n) },
    { status: "existing", snapshotId: 3n, sequenceNumber: 2, fileSequenceNumber: 1, file: file(2n) },
    { status: "deleted", snapshotId: 7n, sequenceNumber: 2, fileSequenceNumber: 2, file: file(3n) },
  ];

  it("are the snapshot's id and sequence number, where they are null", async () => {
    const { bytes, listed } = manifest(entries);
    expect(listed).toMatchObject({
      sequenceNumber: 5,
      minSequenceNumber: 2,
      addedFiles: 1,
      existingRows: 10,
      deletedFiles: 1,
    });
    expect(await entriesOf(bytes, listedAs(listed))).toMatchObject([
      { status: "added", snapshotId: 7n, sequenceNumber: 5, fileSequenceNumber: 5 },
      { status: "existing", snapshotId: 3n, sequenceNumber: 2, fileSequenceNumber: 1 },
      { status: "deleted", snapshotId: 7n, sequenceNumber: 2, fileSequenceNumber: 2 },
    ]);
  });

  it("follow the list when a commit is tried again with a higher number", async () => {
    const { bytes, listed } = manifest(entries.slice(0, 1));
    const again = withSequenceNumber(listedAs(listed), 9);
    expect(again).toMatchObject({ sequenceNumber: 9, minSequenceNumber: 9 });
    expect(withSequenceNumber(listedAs(manifest(entries).listed), 9).minSequenceNumber).toBe(2);
    expect(await entriesOf(bytes, again)).toMatchObject([{ sequenceNumber: 9, fileSequenceNumber: 9 }]);
  });

  it("are 0 in version 1", async () => {
    const { bytes, listed } = manifest(
      [...entries.slice(0, 1), { status: "existing", snapshotId: 3n, file: file(2n) }],
      { formatVersion: 1, sequenceNumber: 0 },
    );
    expect(await entriesOf(bytes, listedAs(listed))).toMatchObject([
      { snapshotId: 7n, sequenceNumber: 0, fileSequenceNumber: 0 },
      { snapshotId: 3n, sequenceNumber: 0, fileSequenceNumber: 0 },
    ]);
  });

  it("are row ids in version 3, one after the other, for files that have none", async () => {
    const { bytes, listed } = manifest([...entries, { status: "added", file: file(4n, 25) }]);
    const rows = await entriesOf(bytes, { ...listedAs(listed), firstRowId: 100 });
    expect(rows.map((e) => e.file.firstRowId)).toEqual([100, 110, undefined, 120]);
  });
});

it("writes what was written before its column was promoted, or dropped", async () => {
  const entries = [1, 2].map((v) => ({
    status: "existing" as const,
    snapshotId: 1n,
    sequenceNumber: 1,
    file: { ...file(1n), partition: [v] },
  }));
  const without: Schema = { ...schema, fields: [] };
  const { bytes, listed } = manifest(entries, { schema: without, olderSchemas: [schema] });
  expect(listed.partitions).toMatchObject([
    { lower: lowerBound({ kind: "long" }, 1n), upper: lowerBound({ kind: "long" }, 2n) },
  ]);
  expect((await entriesOf(bytes, listedAs(listed))).map((e) => e.file.partition)).toEqual([[1n], [2n]]);
  expect(() => manifest(entries, { schema: without })).toThrow("partition field id: there is no column 1");
});

it("keeps partition values of every type, with their summary", async () => {
  const cases = primitiveTypes.chain((type) =>
    fc.record({ type: fc.constant(type), values: fc.array(fc.option(valuesOf(type)), { minLength: 1, maxLength: 4 }) }),
  );
  await fc.assert(
    fc.asyncProperty(cases, fc.constantFrom(1 as const, 2 as const), async ({ type, values }, formatVersion) => {
      const typed: Schema = { ...schema, fields: [{ id: 1, name: "a b", required: false, type }] };
      const named = { id: 0, fields: [{ ...spec.fields[0]!, name: "a b.é" }] };
      const entries = values.map((v) => ({ status: "added" as const, file: { ...file(1n), partition: [v] } }));
      const { bytes, listed } = manifest(entries, { schema: typed, spec: named, formatVersion });
      const read = await entriesOf(bytes, listedAs(listed));
      expect(read.map((e) => e.file.partition[0])).toEqual(values);
      const sameList = writeManifestList({
        formatVersion,
        snapshotId: 7n,
        parentSnapshotId: 6n,
        sequenceNumber: 5,
        manifests: [listedAs(listed)],
        sync,
      });
      const [row] = await readManifestList(sameList, "l.avro");
      expect(row).toMatchObject({ partitions: listed.partitions, length: bytes.length, addedRows: listed.addedRows });
    }),
  );
});

it("says nothing of which UUIDs are between a summary's bounds: Java has them in the order of signed integers", () => {
  const type = { kind: "uuid" } as const;
  const fields = [{ ...spec.fields[0]!, sourceType: type, type }];
  const [lower, upper] = ["f79c3e09677c4bbda4793f349cb785e7", "0".repeat(32)].map((hex) => Buffer.from(hex, "hex"));
  const summary = { containsNull: true, containsNaN: false, lower, upper };
  const stats = { hasNull: true, hasNaN: false, hasValue: true, lower: undefined, upper: undefined };
  expect(manifestStats([summary], fields)(fields[0]!.fieldId)).toEqual(stats);
});

describe("a large manifest", () => {
  const entries = Array.from({ length: 10_000 }, (_, i) => ({ status: "added" as const, file: file(BigInt(i)) }));
  const { bytes, listed } = manifest(entries);

  it("is read in blocks as it arrives, with or without statistics", async () => {
    const chunks = (async function* () {
      for (let i = 0; i < bytes.length; i += 4096) yield bytes.subarray(i, i + 4096);
    })();
    const blocks = await blocksOf(chunks, listedAs(listed), { statistics: false });
    expect(blocks.length).toBeGreaterThan(3);
    expect(blocks.flat()).toHaveLength(10_000);
    expect(blocks[0]![0]!.file).toMatchObject({ path: "file:///t/0.parquet", valueCounts: undefined });
  });

  it("is pruned by its summary, its files' partitions and their bounds", async () => {
    const fields = typedFields(spec, schema);
    const bound = bind(ge("id", 10_000), schema);
    expect(mayMatch(projectPredicate(bound, fields), manifestStats(listed.partitions, fields))).toBe(false);
    const one = bind(eq("id", 77), schema);
    const columns = fieldsById(schema);
    const kept = (await entriesOf(bytes, listedAs(listed))).filter((e) =>
      mayMatch(one, fileStats(e.file, columns, [])),
    );
    expect(kept.map((e) => e.file.path)).toEqual(["file:///t/77.parquet"]);
  });
});

describe("corrupt manifests", () => {
  it("never hang or crash: each is read or refused with a code and its path", async () => {
    const { bytes, listed } = manifest([
      { status: "added", file: file(1n) },
      { status: "added", file: file(null) },
    ]);
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(fc.nat(bytes.length - 1), fc.nat(255)), { minLength: 1, maxLength: 3 }),
        async (changes) => {
          const broken = bytes.slice();
          for (const [at, byte] of changes) broken[at] = byte;
          const refusal = await entriesOf(broken, listedAs(listed)).then(
            () => "IcebergError: manifest m.avro can't be read: ",
            String,
          );
          expect(refusal).toMatch(/^IcebergError: manifest m\.avro can't be read: /);
        },
      ),
      { numRuns: 2000 },
    );
  });

  it("with bounds that can't be read prune nothing", () => {
    const broken = { ...file(1n), lowerBounds: new Map([[1, Uint8Array.of(1, 2, 3)]]), upperBounds: undefined };
    expect(mayMatch(bind(eq("id", -5), schema), fileStats(broken, fieldsById(schema), []))).toBe(true);
  });

  it("of which entries are missing, or that are said to be of others, are refused", async () => {
    const { bytes, listed } = manifest([
      { status: "added", file: file(1n) },
      { status: "existing", snapshotId: 3n, sequenceNumber: 2, fileSequenceNumber: 1, file: file(2n) },
    ]);
    const as = (over: Partial<ManifestFile>) => entriesOf(bytes, { ...listedAs(listed), ...over });
    await expect(as({ existingFiles: 2 })).rejects.toThrow("it has 2 files, and its manifest list says 3");
    await expect(as({ content: "deletes" })).rejects.toThrow("it is one of data, and its manifest list says deletes");
    // others may count otherwise
    expect(await as({ existingFiles: 0 })).toHaveLength(2);
    expect(await as({ addedFiles: undefined, existingFiles: undefined })).toHaveLength(2);
  });

  it("in a list that says they have rows, but no files, are refused", async () => {
    const { listed } = manifest([{ status: "added", file: file(1n) }]);
    const manifests = [{ ...listedAs(listed), addedFiles: 0 }];
    const list = {
      formatVersion: 2,
      snapshotId: 7n,
      parentSnapshotId: undefined,
      sequenceNumber: 5,
      manifests,
      sync,
    } as const;
    await expect(readManifestList(writeManifestList(list), "l.avro")).rejects.toMatchObject({
      code: "invalid-manifest",
      message: "manifest list l.avro can't be read: manifest m.avro is said to have rows, but no files with them",
    });
  });

  it("that aren't Avro are refused", async () => {
    await expect(readManifestList(Buffer.from("PAR1 and more"), "l.avro")).rejects.toThrow(
      "manifest list l.avro can't be read: a manifest isn't an Avro file: its first bytes are others",
    );
  });
});
