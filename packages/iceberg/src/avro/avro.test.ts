import { createRequire } from "node:module";
import { zstdCompressSync } from "node:zlib";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { IcebergError } from "../errors.ts";
import { openAvro, writeAvro } from "./container.ts";
import { decoderOf } from "./decode.ts";
import { AvroWriter, encoderOf } from "./encode.ts";
import { AvroReader } from "./reader.ts";
import type { AvroSchema } from "./schema.ts";

/** An independent implementation, which is CommonJS. */
const avsc = createRequire(import.meta.url)("avsc") as typeof import("avsc");

const schema: AvroSchema = {
  type: "record",
  name: "r",
  fields: [
    { name: "text", type: "string" },
    { name: "long", type: ["null", "long"], default: null },
    { name: "list", type: { type: "array", items: "double", "element-id": 1 } },
    { name: "fixed", type: { type: "fixed", name: "four", size: 4 } },
    { name: "flag", type: "boolean" },
    { name: "bytes", type: "bytes" },
    { name: "float", type: "float" },
  ],
};
const rows = fc.record({
  text: fc.string({ unit: "grapheme" }),
  long: fc.option(fc.integer({ min: -(2 ** 52), max: 2 ** 52 })), // the other implementation is off by one beyond
  list: fc.array(fc.double({ noNaN: true })),
  fixed: fc.uint8Array({ minLength: 4, maxLength: 4 }),
  flag: fc.boolean(),
  bytes: fc.uint8Array(),
  float: fc.float({ noNaN: true }),
});
const encode = encoderOf(schema, (field) => field.name);
const decode = decoderOf(schema, (field) => field.name);
const sync = new Uint8Array(16).fill(9);
const fileOf = (values: readonly unknown[]) =>
  writeAvro({ schema, metadata: new Map([["a", "b"]]) }, encode, values, sync);

async function read(from: Uint8Array | AsyncIterable<Uint8Array>): Promise<readonly unknown[]> {
  const values: unknown[] = [];
  for await (const { count, reader } of (await openAvro(from)).blocks)
    for (let i = 0; i < count; i++) values.push(decode(reader));
  return values;
}

async function* inPieces(bytes: Uint8Array, length: number): AsyncGenerator<Uint8Array> {
  for (let i = 0; i < bytes.length; i += length) yield bytes.subarray(i, i + length);
}

/** Reads a file by the schema that it says it has. */
async function readAny(bytes: Uint8Array): Promise<void> {
  const file = await openAvro(bytes);
  const decodeOwn = decoderOf(file.schema, (field) => field.name);
  for await (const { count, reader } of file.blocks) for (let i = 0; i < count; i++) decodeOwn(reader);
}

const buffersOf = (row: object) =>
  Object.fromEntries(
    Object.entries(row).map(([k, v]) => [k, v instanceof Uint8Array ? Buffer.from(v) : (v as unknown)]),
  );

describe("values", () => {
  it("are encoded as another implementation does, and come back", () => {
    const type = avsc.Type.forSchema(schema as never);
    fc.assert(
      fc.property(rows, (row) => {
        const writer = new AvroWriter();
        encode(writer, row);
        const bytes = writer.take();
        expect(bytes).toEqual(new Uint8Array(type.toBuffer(buffersOf(row))));
        expect(decode(new AvroReader(bytes))).toEqual(row);
      }),
    );
  });

  it("of 64 bits are exact", () => {
    fc.assert(
      fc.property(fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }), (n) => {
        const writer = new AvroWriter();
        writer.long(n);
        expect(BigInt(new AvroReader(writer.take()).long())).toBe(n);
      }),
    );
  });
});

describe("files", () => {
  it("are read whole or as they arrive", async () => {
    const values = fc.sample(rows, { numRuns: 2000, seed: 1 });
    const bytes = fileOf(values);
    expect(await read(bytes)).toEqual(values);
    expect(await read(inPieces(bytes, 1000))).toEqual(values);
    expect(await read(inPieces(fileOf([]), 1))).toEqual([]);
  });

  it("have their metadata, and are read by another implementation", async () => {
    const values = fc.sample(rows, { numRuns: 20, seed: 1 });
    const bytes = fileOf(values);
    expect((await openAvro(bytes)).metadata.get("a")).toBe("b");
    const decoder = new avsc.streams.BlockDecoder();
    decoder.end(Buffer.from(bytes));
    const others: object[] = [];
    for await (const row of decoder as AsyncIterable<object>) others.push({ ...row });
    expect(others).toEqual(values.map(buffersOf));
  });

  it("compressed with zstandard are read, and others refused by name", async () => {
    const bytes = Buffer.from(fileOf([]));
    const row = fc.sample(rows, { numRuns: 1, seed: 1 })[0];
    const writer = new AvroWriter();
    encode(writer, row);
    const block = zstdCompressSync(writer.take());
    const withCodec = (codec: string) => {
      const out = new AvroWriter();
      out.raw(Uint8Array.of(0x4f, 0x62, 0x6a, 1));
      out.long(2);
      for (const text of ["avro.schema", JSON.stringify(schema), "avro.codec", codec]) out.bytes(Buffer.from(text));
      out.long(0);
      out.raw(sync);
      out.long(1);
      out.bytes(block);
      out.raw(sync);
      return out.take();
    };
    expect(bytes.includes("deflate")).toBe(true);
    expect(await read(withCodec("zstandard"))).toEqual([row]);
    await expect(read(withCodec("snappy"))).rejects.toMatchObject({
      code: "unsupported",
      message: expect.stringContaining("a manifest is compressed with snappy"),
    });
  });
});

describe("corrupt files", () => {
  it("never hang or crash: each is read or refused with a code", async () => {
    const bytes = fileOf(fc.sample(rows, { numRuns: 5, seed: 1 }));
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(fc.nat(bytes.length - 1), fc.nat(255)), { minLength: 1, maxLength: 4 }),
        async (changes) => {
          const broken = bytes.slice();
          for (const [at, byte] of changes) broken[at] = byte;
          const outcome = await readAny(broken).then(
            () => "read",
            (error: unknown) => (error instanceof IcebergError ? error.code : String(error)),
          );
          expect(["read", "invalid-manifest", "invalid-metadata", "unsupported"]).toContain(outcome);
        },
      ),
      { numRuns: 2000 },
    );
  });

  it("that are cut off are refused wherever the cut is", async () => {
    const bytes = fileOf(fc.sample(rows, { numRuns: 5, seed: 1 }));
    const whole = bytes.length;
    const headerEnd = bytes.length - Buffer.from(fileOf([])).length;
    expect(headerEnd).toBeGreaterThan(0);
    for (let length = 0; length < whole; length += 7) {
      if (length === fileOf([]).length) continue; // a file without blocks
      await expect(read(bytes.subarray(0, length)), `${length} bytes`).rejects.toMatchObject({
        code: "invalid-manifest",
      });
    }
  });

  it("that announce less than they have are refused: values would be missing", async () => {
    const bytes = fileOf(fc.sample(rows, { numRuns: 3, seed: 1 })).slice();
    const count = fileOf([]).length;
    expect(bytes[count]).toBe(3 * 2); // in zigzag encoding
    bytes[count] = 2 * 2;
    await expect(read(bytes)).rejects.toMatchObject({
      code: "invalid-manifest",
      message: expect.stringContaining("a block has more than the 2 values that it says") as string,
    });
  });

  it("whose schema has a field twice are refused", () => {
    const twice: AvroSchema = {
      type: "record",
      name: "r",
      fields: [
        { name: "a", type: "int" },
        { name: "a", type: "int" },
      ],
    };
    expect(() => decoderOf(twice, (field) => field.name)).toThrow("a record of its schema has a field twice");
  });

  it("that announce more than they have take no time or memory for it", () => {
    const writer = new AvroWriter();
    writer.long(2n ** 50n);
    const claims = writer.take();
    for (const items of ["long", "null", "string"]) {
      const list = decoderOf({ type: "array", items }, (field) => field.name);
      expect(() => list(new AvroReader(claims))).toThrow("an Avro file is corrupt");
    }
    expect(() => decoderOf("bytes", (f) => f.name)(new AvroReader(claims))).toThrow(
      "bytes were announced and 0 are left",
    );
  });
});
