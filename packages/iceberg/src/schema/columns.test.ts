import { describe, expect, it } from "vitest";
import { fieldsOf, itemOf, nullable, type Columns } from "./columns.ts";
import { checkSchema } from "./schema.ts";
import { typeText } from "./type-text.ts";

const textOf = (columns: Columns) =>
  fieldsOf(columns).map((field) => `${field.name} ${typeText(field.type)}${field.required ? "" : "?"}`);

describe("columns", () => {
  it("are of every type, and may be null", () => {
    expect(
      textOf({
        a: "long",
        b: "double?",
        c: "decimal(10, 2)",
        d: "decimal(10,2)?",
        e: "fixed[16]",
        f: "fixed(16)?",
        g: ["string"],
        h: nullable(["date?"]),
        i: { lat: "double", at: nullable({ zone: "string" }) },
        j: { "[string]": ["timestamptz"] },
        k: { "[int]": "uuid?" },
      }),
    ).toEqual([
      "a long",
      "b double?",
      "c decimal(10, 2)",
      "d decimal(10, 2)?",
      "e fixed[16]",
      "f fixed[16]?",
      "g list<string>",
      "h list<date>?",
      "i struct<lat: double, at: struct<zone: string>>",
      "j map<string, list<timestamptz>>",
      "k map<int, uuid>",
    ]);
  });

  it("have ids of their own, and say what within them may be null", () => {
    const fields = fieldsOf({ a: ["int?"], b: { "[string]": { c: "int?" } }, d: "int" });
    checkSchema({ id: 0, fields, identifierIds: [] });
    expect(fields[0]!.type).toMatchObject({ elementRequired: false });
    expect(fields[1]!.type).toMatchObject({ valueRequired: true, value: { fields: [{ required: false }] } });
    expect(itemOf("double?", "x")).toEqual({ type: { kind: "double" }, required: false });
  });

  it.each<[Columns, string]>([
    [{}, "a table has no columns"],
    [{ a: {} }, "struct a has no fields"],
    [{ a: "text" }, "column a has the type 'text', which there isn't: write string"],
    [{ a: { b: "Integer?" } }, "column a.b has the type 'Integer', which there isn't: write int"],
    [
      { a: "decimal(39, 2)" },
      "column a has the type 'decimal(39, 2)', which there isn't: write decimal(precision, scale), of at most 38 digits",
    ],
    [{ a: "nonsense" }, "column a has the type 'nonsense', which there isn't"],
    [{ a: [] as never }, "column a: a list's type is written [type]"],
    [{ a: { "[string?]": "int" } }, "column a: a map's keys are never null: write [string]"],
    [{ a: null as never }, "column a has no type: write a text, [type] or { … }"],
    [{ a: 7 as never }, "column a has no type: write a text, [type] or { … }"],
  ])("that are none are refused: %j", (columns, message) => {
    expect(() => fieldsOf(columns)).toThrow(expect.objectContaining({ code: "invalid-metadata", message }));
  });

  it("that contain themselves are refused", () => {
    const endless: Record<string, never> = {};
    endless["a"] = endless as never;
    expect(() => fieldsOf(endless)).toThrow("is nested over 100 deep");
  });
});
