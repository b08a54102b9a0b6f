import { inflateRawSync } from "node:zlib";
import { AvroWriter } from "../avro/encode.ts";
import { ByteSource } from "../avro/source.ts";

/** An Avro file of deflate's as one that isn't compressed: damage reaches the values then. */
export async function uncompressed(bytes: Uint8Array): Promise<Uint8Array> {
  const source = new ByteSource(bytes);
  const out = new AvroWriter();
  out.raw(await source.bytes(4));
  const count = await source.long();
  out.long(count);
  for (let i = 0; i < count; i++) {
    const key = await source.bytes(await source.long());
    const value = await source.bytes(await source.long());
    out.bytes(key);
    out.bytes(Buffer.from(key).toString() === "avro.codec" ? Buffer.from("null") : value);
  }
  out.long(await source.long());
  out.raw(await source.bytes(16));
  while (!(await source.isAtEnd())) {
    out.long(await source.long());
    out.bytes(inflateRawSync(await source.bytes(await source.long())));
    out.raw(await source.bytes(16));
  }
  return out.take();
}
