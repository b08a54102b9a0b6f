/**
 * Whether the fields of a Parquet footer's schema have the types that the format gives them. Readers pass a field of another type over, and take it
 * for one that isn't there; hyparquet takes its value, and would see other columns than DuckDB in a file with one wrong bit.
 */

/** Types of Thrift's compact protocol. */
const [TRUE, FALSE, BYTE, I16, I32, I64, DOUBLE, BINARY, LIST, SET, STRUCT] = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 12];

/** The fields of `SchemaElement` (parquet.thrift), by id. */
const SCHEMA_ELEMENT = [undefined, I32, I32, I32, BINARY, I32, I32, I32, I32, I32, STRUCT];
/** That of the schema in `FileMetaData`. */
const SCHEMA = 2;

/** @param footer begins with the footer. */
export function hasSchemaTypes(footer: ArrayBuffer): boolean {
  const reader = new CompactReader(new Uint8Array(footer));
  for (const { id, type } of reader.fields()) {
    if (id === SCHEMA) return type === LIST && haveElementTypes(reader);
    reader.skip(type);
  }
  return false;
}

function haveElementTypes(reader: CompactReader): boolean {
  for (const element of reader.elements()) {
    if (element !== STRUCT) return false;
    for (const { id, type } of reader.fields()) {
      if (type !== SCHEMA_ELEMENT[id]) return false;
      reader.skip(type);
    }
  }
  return true;
}

class CompactReader {
  readonly #bytes: Uint8Array;
  #at = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  /** The fields of a struct. The value of each is to be read before the next is asked for. */
  *fields(): Generator<{ readonly id: number; readonly type: number }> {
    for (let id = 0; ;) {
      const header = this.#byte();
      if (header === 0) return;
      id = header >> 4 === 0 ? this.#varint() >> 1 : id + (header >> 4);
      yield { id, type: header & 0x0f };
    }
  }

  /** The type of each element of a list or set, which is to be read before the next is asked for. */
  *elements(): Generator<number> {
    const header = this.#byte();
    const count = header >> 4 === 15 ? this.#varint() : header >> 4;
    for (let i = 0; i < count; i++) yield header & 0x0f;
  }

  /** Passes a value over. */
  skip(type: number): void {
    switch (type) {
      case TRUE:
      case FALSE:
        return;
      case BYTE:
        this.#at += 1;
        return;
      case I16:
      case I32:
      case I64:
        this.#varint();
        return;
      case DOUBLE:
        this.#at += 8;
        return;
      case BINARY: {
        const length = this.#varint();
        this.#at += length;
        return;
      }
      case LIST:
      case SET:
        for (const element of this.elements()) this.skip(element);
        return;
      case STRUCT:
        for (const field of this.fields()) this.skip(field.type);
        return;
      default:
        throw new Error(`Parquet footers have no values of Thrift's type ${type}`);
    }
  }

  #byte(): number {
    const byte = this.#bytes[this.#at++];
    if (byte === undefined) throw new Error("the footer ends within a value");
    return byte;
  }

  /** As far as it is needed here: lengths and ids, which are small. */
  #varint(): number {
    let value = 0;
    for (let shift = 0; ; shift += 7) {
      const byte = this.#byte();
      value += (byte & 0x7f) * 2 ** shift;
      if (byte < 0x80) return value;
    }
  }
}
