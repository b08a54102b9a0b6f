/** Values of Avro's binary encoding, by the schema that a file has. */
import { type AvroReader, blockCount, corrupt, type Decode } from "./reader.ts";
import { skipperOf } from "./skip.ts";
import { type AvroComplex, type AvroField, type AvroSchema, isPairs, type KeyOf } from "./schema.ts";

/** Schemas may be nested this deep. */
const DEPTH_MAX = 50;

/**
 * What reads a value of a schema. Records become objects with the names that `keyOf` gives, arrays of `key` and `value` records
 * become Maps, and a union's value is that of its branch.
 *
 * @param keys what those Maps are to hold; by default all that is there.
 * @throws IcebergError `invalid-manifest` if the schema isn't valid.
 */
export function decoderOf(schema: AvroSchema, keyOf: KeyOf, keys?: ReadonlySet<unknown>): Decode {
  return new Compiler(keyOf, keys).decoder(schema, 0);
}

class Compiler {
  readonly #keyOf: KeyOf;
  readonly #keys: ReadonlySet<unknown> | undefined;
  readonly #named = new Map<string, Decode>();

  constructor(keyOf: KeyOf, keys: ReadonlySet<unknown> | undefined) {
    this.#keyOf = keyOf;
    this.#keys = keys;
  }

  decoder(schema: AvroSchema | undefined, depth: number): Decode {
    if (depth > DEPTH_MAX) throw corrupt(`its schema is nested over ${DEPTH_MAX} deep`);
    if (Array.isArray(schema)) return this.#union(schema as readonly AvroSchema[], depth);
    if (typeof schema === "string") return primitive(schema) ?? this.#byName(schema);
    if (typeof schema !== "object" || schema === null) throw corrupt("its schema isn't one of Avro");
    const complex = schema as AvroComplex;
    switch (complex.type) {
      case "record":
        return this.#record(complex, depth);
      case "array":
        return isPairs(complex.items!) ? this.#pairs(complex, depth) : this.#array(complex, depth);
      case "map": {
        const value = this.decoder(complex.values, depth + 1);
        return (reader) => new Map(blocks(reader, () => [reader.text(), value(reader)] as const));
      }
      case "fixed": {
        const { size } = complex;
        if (!Number.isSafeInteger(size) || size! < 0) throw corrupt(`a fixed type of its schema has the size ${size}`);
        return this.#define(complex, (reader) => reader.bytes(size!));
      }
      case "enum": {
        const { symbols } = complex;
        return this.#define(complex, (reader) => symbols?.[reader.length()]);
      }
      default:
        return this.decoder(complex.type, depth + 1);
    }
  }

  #record(schema: AvroComplex, depth: number): Decode {
    if (!Array.isArray(schema.fields)) throw corrupt("a record of its schema has no fields");
    const fields = (schema.fields as readonly (AvroField | null)[]).map((field) => {
      if (typeof field?.name !== "string") throw corrupt("a field of its schema has no name");
      const key = this.#keyOf(field);
      const decode = this.decoder(field.type, depth + 1);
      return { key, decode: key === undefined ? (skipperOf(field.type) ?? decode) : decode };
    });
    const keys = fields.flatMap(({ key }) => key ?? []);
    if (new Set(keys).size < keys.length) throw corrupt("a record of its schema has a field twice");
    // the name is known from here on: a record within itself could be read without end
    return this.#define(schema, (reader) => {
      const record: Record<string, unknown> = {};
      for (const { key, decode } of fields) {
        const value = decode(reader);
        if (key !== undefined) record[key] = value;
      }
      return record;
    });
  }

  #array(schema: AvroComplex, depth: number): Decode {
    const item = this.decoder(schema.items, depth + 1);
    return (reader) => blocks(reader, () => item(reader));
  }

  #pairs(schema: AvroComplex, depth: number): Decode {
    const fields = (schema.items as AvroComplex).fields ?? [];
    const [key, value] = fields.map((f) => this.decoder(f.type, depth + 2));
    const skip = skipperOf(fields[1]!.type) ?? value!;
    const keys = this.#keys;
    return (reader) => {
      const pairs = new Map<unknown, unknown>();
      for (let count = blockCount(reader); count > 0; count = blockCount(reader))
        for (let i = 0; i < count; i++) {
          const before = reader.position;
          const k = key!(reader);
          if (keys === undefined || keys.has(k)) pairs.set(k, value!(reader));
          else skip(reader);
          if (reader.position === before) throw corrupt("an array has items without content");
        }
      return pairs;
    };
  }

  #union(branches: readonly AvroSchema[], depth: number): Decode {
    const decoders = branches.map((branch) => this.decoder(branch, depth + 1));
    return (reader) => {
      const branch = reader.length();
      const decode = decoders[branch];
      if (decode === undefined) throw corrupt(`a union has no branch ${branch}`);
      return decode(reader);
    };
  }

  #define(schema: AvroComplex, decode: Decode): Decode {
    if (schema.name !== undefined) this.#named.set(schema.name, decode);
    return decode;
  }

  #byName(name: string): Decode {
    const decode = this.#named.get(name);
    if (decode === undefined) throw corrupt(`its schema has no type ${name}`);
    return decode;
  }
}

function primitive(name: string): Decode | undefined {
  switch (name) {
    case "null":
      return () => null;
    case "boolean":
      return (reader) => reader.boolean();
    case "int":
    case "long":
      return (reader) => reader.long();
    case "float":
      return (reader) => reader.float();
    case "double":
      return (reader) => reader.double();
    case "bytes":
      return (reader) => reader.bytes(reader.length());
    case "string":
      return (reader) => reader.text();
    default:
      return undefined;
  }
}

/** The items of an array or map, which come in blocks until an empty one. */
function blocks<T>(reader: AvroReader, item: () => T): T[] {
  const items: T[] = [];
  for (;;) {
    const count = blockCount(reader);
    if (count === 0) return items;
    for (let i = 0; i < count; i++) {
      const before = reader.position;
      items.push(item());
      if (reader.position === before) throw corrupt("an array has items without content");
    }
  }
}
