/** Avro schemas in their JSON form, with the attributes that Iceberg adds (Appendix A, "Avro"). */

export type AvroSchema = string | AvroComplex | readonly AvroSchema[];

export interface AvroComplex {
  readonly type: AvroSchema;
  readonly name?: string;
  readonly fields?: readonly AvroField[];
  readonly items?: AvroSchema;
  readonly values?: AvroSchema;
  readonly symbols?: readonly string[];
  readonly size?: number;
  readonly logicalType?: string;
  readonly precision?: number;
  readonly scale?: number;
  readonly "adjust-to-utc"?: boolean;
  readonly "element-id"?: number;
}

export interface AvroField {
  readonly name: string;
  readonly type: AvroSchema;
  readonly "field-id"?: number;
  readonly default?: null;
}

/** What a record's field is called in JavaScript; undefined for a field that is skipped. */
export type KeyOf = (field: AvroField) => string | undefined;

/** A map whose keys aren't texts is an array of records of `key` and `value` (Appendix A). */
export function isPairs(schema: AvroSchema): boolean {
  const fields = (schema as AvroComplex | null | undefined)?.fields;
  return fields?.length === 2 && fields[0]?.name === "key" && fields[1]?.name === "value";
}
