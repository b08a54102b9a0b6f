/** Passing over values that aren't wanted, without making them. */
import { blockCount, corrupt, type Decode } from "./reader.ts";
import { type AvroComplex, type AvroSchema, isPairs } from "./schema.ts";

/**
 * What passes over a value, of the types that manifests are mostly made of: counts and bounds by column, which planning skips for files
 * that their partition rules out. Undefined for others, which are read and dropped.
 */
export function skipperOf(schema: AvroSchema): Decode | undefined {
  if (schema === "int" || schema === "long") return (reader) => reader.skipLong();
  if (schema === "bytes" || schema === "string") return (reader) => void reader.bytes(reader.length());
  if (Array.isArray(schema)) {
    const skippers = (schema as readonly AvroSchema[]).map((s) => (s === "null" ? () => null : skipperOf(s)));
    if (skippers.includes(undefined)) return undefined;
    return (reader) => (skippers[reader.length()] ?? badBranch)(reader);
  }
  const items = (schema as AvroComplex | null)?.items;
  if (items === undefined) return undefined;
  const parts = isPairs(items) ? (items as AvroComplex).fields!.map((f) => skipperOf(f.type)) : [skipperOf(items)];
  if (parts.includes(undefined)) return undefined;
  return (reader) => {
    for (let count = blockCount(reader); count > 0; count = blockCount(reader))
      for (let i = 0; i < count; i++) for (const skip of parts) skip!(reader);
  };
}

function badBranch(): never {
  throw corrupt("a union has no such branch");
}
