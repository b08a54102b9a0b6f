/** Avro's object container files: a header with the schema and metadata, then blocks of values, compressed. */
import zlib from "node:zlib";
import { parseJson, stringifyJson } from "../json/json.ts";
import { textOf, utf8 } from "../values/bytes.ts";
import { AvroReader, corrupt } from "./reader.ts";
import { AvroWriter, type Encode } from "./encode.ts";
import type { AvroSchema } from "./schema.ts";
import { ByteSource } from "./source.ts";
import { IcebergError } from "../errors.ts";

const MAGIC = Uint8Array.of(0x4f, 0x62, 0x6a, 0x01);
const SYNC_LENGTH = 16;

/** Blocks are closed at this size before compression: large enough to compress well, small enough to read a manifest in pieces. */
const BLOCK_BYTES = 256 * 1024;

/** No block is inflated beyond this: a few bytes of a corrupt or hostile file can stand for any number. */
const INFLATED_MAX = 256 * 1024 * 1024;

export interface AvroHeader {
  readonly schema: AvroSchema;
  /** The file's own metadata, as texts: for a manifest its table schema and spec. */
  readonly metadata: ReadonlyMap<string, string>;
}

/** An Avro file that is being read. */
export interface AvroFile extends AvroHeader {
  /** The values of each block in turn, not decoded yet: all are to be, before the next block is asked for. To be read once. */
  readonly blocks: AsyncIterable<AvroBlock>;
}
interface AvroBlock {
  readonly count: number;
  readonly reader: AvroReader;
}

/**
 * Opens an Avro file: in one piece or as it arrives.
 *
 * @throws IcebergError `invalid-manifest` if it isn't one, or is cut off; `unsupported` for a compression that this package lacks.
 */
export async function openAvro(from: Uint8Array | AsyncIterable<Uint8Array>): Promise<AvroFile> {
  const source = new ByteSource(from);
  if (Buffer.compare(await source.bytes(MAGIC.length), MAGIC) !== 0)
    throw new IcebergError("invalid-manifest", "a manifest isn't an Avro file: its first bytes are others");
  const entries = new Map<string, Uint8Array>();
  for (let count = await source.long(); count !== 0; count = await source.long()) {
    if (count < 0) await source.long();
    for (let i = 0; i < Math.abs(count); i++)
      entries.set(textOf(await source.bytes(await source.long())) ?? "", await source.bytes(await source.long()));
  }
  const sync = await source.bytes(SYNC_LENGTH);
  const metadata = new Map(Array.from(entries, ([key, value]) => [key, textOf(value) ?? ""]));
  const decompress = decompressor(metadata.get("avro.codec") ?? "null");
  return {
    schema: avroSchema(metadata),
    metadata,
    blocks: (async function* () {
      while (!(await source.isAtEnd())) {
        const [count, length] = [await source.long(), await source.long()];
        const content = await source.bytes(length);
        if (Buffer.compare(await source.bytes(SYNC_LENGTH), sync) !== 0) throw corrupt("a block's end mark is wrong");
        const reader = new AvroReader(decompress(content));
        yield { count, reader };
        // with a smaller count values would be missing, and nobody would know
        if (reader.remaining > 0) throw corrupt(`a block has more than the ${count} values that it says`);
      }
    })(),
  };
}

/**
 * The bytes of an Avro file with values, compressed with deflate, which every reader knows.
 *
 * @param sync 16 bytes that part the blocks, and aren't likely in them: random ones.
 */
export function writeAvro<T>(header: AvroHeader, encode: Encode, values: Iterable<T>, sync: Uint8Array): Uint8Array {
  const out = new AvroWriter();
  out.raw(MAGIC);
  const entries = [...header.metadata, ["avro.schema", stringifyJson(header.schema)], ["avro.codec", "deflate"]];
  out.long(entries.length);
  for (const [key, value] of entries) {
    out.bytes(utf8(key!));
    out.bytes(utf8(value!));
  }
  out.long(0);
  out.raw(sync);
  const block = new AvroWriter();
  let count = 0;
  const close = () => {
    out.long(count);
    out.bytes(zlib.deflateRawSync(block.take()));
    out.raw(sync);
    count = 0;
  };
  for (const value of values) {
    encode(block, value);
    count++;
    if (block.length >= BLOCK_BYTES) close();
  }
  if (count > 0) close();
  return out.take();
}

function avroSchema(metadata: ReadonlyMap<string, string>): AvroSchema {
  const text = metadata.get("avro.schema");
  if (text === undefined) throw corrupt("it has no schema");
  try {
    return parseJson(text, "the schema of an Avro file") as unknown as AvroSchema;
  } catch (cause) {
    throw new IcebergError("invalid-manifest", (cause as Error).message, { cause });
  }
}

function decompressor(codec: string): (bytes: Uint8Array) => Uint8Array {
  const inflate = {
    null: (bytes: Uint8Array) => bytes,
    deflate: (bytes: Uint8Array) => zlib.inflateRawSync(bytes, { maxOutputLength: INFLATED_MAX }),
    zstandard: (bytes: Uint8Array) => zlib.zstdDecompressSync(bytes, { maxOutputLength: INFLATED_MAX }),
  }[codec];
  if (inflate === undefined)
    throw new IcebergError(
      "unsupported",
      `a manifest is compressed with ${codec}, and null, deflate and zstandard are read: write it anew with write.avro.compression-codec=gzip`,
    );
  return (bytes) => {
    try {
      return inflate(bytes);
    } catch (cause) {
      throw new IcebergError("invalid-manifest", `a block of a manifest can't be decompressed: ${String(cause)}`, {
        cause,
      });
    }
  };
}
