import { describe, expect, it } from "vitest";
import { columnsOf } from "./column.ts";
import { fieldOf, orderOf } from "./field.ts";

const columns = columnsOf({ id: "long", day: "date", at: "timestamptz", place: { city: "string?" } }, {});

describe("a partition field", () => {
  it.each([
    ["id", { transform: "identity", column: "id" }],
    ["place.city", { transform: "identity", column: "place.city" }],
    ["month(at)", { transform: "month", column: "at" }],
    ["year( day )", { transform: "year", column: "day" }],
    ["hour(at)", { transform: "hour", column: "at" }],
    ["bucket(16, id)", { transform: "bucket", column: "id", size: 16 }],
    ["bucket(16,id)", { transform: "bucket", column: "id", size: 16 }],
    ["truncate(4, place.city)", { transform: "truncate", column: "place.city", size: 4 }],
  ])("written %s is read", (text, field) => {
    expect(fieldOf(text, columns)).toEqual(field);
  });

  it.each([
    "bucket(1e3, id)",
    "bucket(016, id)",
    "bucket( 16, id)",
    "bucket(-1, id)",
    "bucket(1.5, id)",
    "month(1, at)",
    "toString(id)",
    "month(at",
    "month()(",
  ])("isn't written %s", (text) => {
    const message = `'${text}' isn't a transform: write year(c), month(c), day(c), hour(c), bucket(n, c) or truncate(n, c)`;
    expect(() => fieldOf(text, columns)).toThrow(expect.objectContaining({ code: "invalid-dataset", message }));
  });
});

describe("a sort order", () => {
  it("ascends with nulls first unless it says otherwise, and descends with nulls last", () => {
    const id = { transform: "identity", column: "id" };
    expect(orderOf("id", columns)).toEqual({ ...id, direction: "asc", nulls: "first" });
    expect(orderOf("id asc", columns)).toEqual({ ...id, direction: "asc", nulls: "first" });
    expect(orderOf("id desc", columns)).toEqual({ ...id, direction: "desc", nulls: "last" });
    expect(orderOf("id nulls last", columns)).toEqual({ ...id, direction: "asc", nulls: "last" });
    expect(orderOf("id desc nulls first", columns)).toEqual({ ...id, direction: "desc", nulls: "first" });
    expect(orderOf("bucket(16, id) desc", columns)).toMatchObject({ transform: "bucket", size: 16, direction: "desc" });
  });

  it.each([
    ["id DESC", "'id DESC' isn't a column"],
    ["id  desc", "'id ' isn't a column"],
    ["id desc asc", "'id desc' isn't a column"],
    ["", "'' isn't a column"],
  ])("isn't written '%s'", (text, message) => {
    expect(() => orderOf(text, columns)).toThrow(expect.objectContaining({ message }));
  });
});
