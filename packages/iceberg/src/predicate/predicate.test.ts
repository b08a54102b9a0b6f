import { describe, expect, it } from "vitest";
import { typedFields } from "../partition/spec.ts";
import { parseTransform } from "../partition/transform.ts";
import { parseSchema } from "../schema/schema.ts";
import { bind } from "./bind.ts";
import type { ColumnStats } from "./column-stats.ts";
import { matches } from "./evaluate.ts";
import { mayMatch } from "./may-match.ts";
import {
  ALWAYS,
  and,
  eq,
  ge,
  gt,
  isIn,
  isNull,
  le,
  lt,
  ne,
  not,
  notIn,
  or,
  type Predicate,
  startsWith,
} from "./predicate.ts";
import { projectPredicate } from "./project.ts";

const schema = parseSchema({
  "schema-id": 0,
  type: "struct",
  fields: [
    { id: 1, name: "id", required: true, type: "long" },
    { id: 2, name: "time", required: false, type: "timestamptz" },
    { id: 3, name: "name", required: false, type: "string" },
    { id: 4, name: "x", required: false, type: "double" },
    {
      id: 5,
      name: "at",
      required: false,
      type: { type: "struct", fields: [{ id: 6, name: "city", required: false, type: "string" }] },
    },
    {
      id: 7,
      name: "tags",
      required: false,
      type: { type: "list", "element-id": 8, element: "string", "element-required": true },
    },
  ],
});

describe("a filter that doesn't fit its schema", () => {
  it.each([
    [eq("nope", 1), "there is no column nope to filter by"],
    [eq("at", 1), "column at is a struct: filter by a field within it"],
    [eq("tags.element", "a"), "column tags.element is in a list or map: filters can't reach into those"],
    [eq("id", "a"), 'what column id is compared with is "a", which isn\'t of type long'],
    [startsWith("id", "a"), "column id is of type long: only texts start with texts"],
  ])("%o", (predicate, message) => {
    expect(() => bind(predicate, schema)).toThrow(message);
  });
});

describe("a row is selected as in SQL", () => {
  const row = { id: 5n, time: null, name: "iceberg", x: Number.NaN, at: { city: "Oslo" } };
  it.each<[Predicate, boolean]>([
    [eq("id", 5), true],
    [ne("time", "2020-01-01T00:00:00Z"), false],
    [not(eq("time", "2020-01-01T00:00:00Z")), false],
    [notIn("time", []), false],
    [isNull("time"), true],
    [or(isNull("name"), eq("at.city", "Oslo")), true],
    [and(), true],
    [or(), false],
    [gt("x", 1e300), true],
    [eq("x", Number.NaN), true],
    [le("x", 1), false],
    [startsWith("name", "ice"), true],
    [not(startsWith("name", "ice")), false],
    [isIn("id", [1, 5n]), true],
  ])("%o: %s", (predicate, isSelected) => {
    expect(matches(bind(predicate, schema), row)).toBe(isSelected);
  });
});

describe("statistics prune", () => {
  const known: ColumnStats = { hasNull: false, hasNaN: false, hasValue: true, lower: 10n, upper: 20n };
  it.each<[Predicate, boolean]>([
    [eq("id", 9), false],
    [lt("id", 10), false],
    [le("id", 10), true],
    [gt("id", 20), false],
    [ge("id", 20), true],
    [isIn("id", [1, 30]), false],
    [isNull("id"), false],
    [and(ge("id", 12), lt("id", 3)), false],
    [not(ge("id", 5)), false],
  ])("%o: may match is %s", (predicate, may) => {
    expect(mayMatch(bind(predicate, schema), () => known)).toBe(may);
  });
});

describe("filters of rows become ones of partitions", () => {
  const project = (predicate: Predicate, transform: string, sourceId = 2) => {
    const fields = [{ sourceId, fieldId: 1000, name: "p", transform: parseTransform(transform) }];
    return projectPredicate(bind(predicate, schema), typedFields({ id: 0, fields }, schema));
  };
  const of = (test: object) => ({ op: "and", of: [expect.objectContaining(test)] });

  it.each([
    [gt("time", "2017-11-16T22:31:08Z"), "day", { op: "ge", value: 17486 }],
    [lt("time", "2017-11-16T00:00:00Z"), "day", { op: "le", value: 17485 }],
    [eq("time", "2017-11-16T22:31:08Z"), "hour", { op: "eq", value: 419686 }],
    [ne("time", "2017-11-16T22:31:08Z"), "hour", { op: "not-null" }],
    [isNull("time"), "month", { op: "is-null" }],
  ])("%o by %s", (predicate, transform, test) => {
    expect(project(predicate, transform)).toEqual(of(test));
  });

  it("texts by their beginnings, and buckets by their hash", () => {
    expect(project(startsWith("name", "iceberg"), "truncate[3]", 3)).toEqual(of({ op: "eq", value: "ice" }));
    expect(project(startsWith("name", "ic"), "truncate[3]", 3)).toEqual(of({ op: "starts-with", value: "ic" }));
    expect(project(eq("name", "iceberg"), "bucket[16]", 3)).toEqual(of({ op: "eq", value: 9 }));
    expect(project(lt("name", "iceberg"), "bucket[16]", 3)).toEqual(of({ op: "not-null" }));
  });

  it("and to nothing known for transforms that aren't, and for other columns", () => {
    expect(project(eq("name", "a"), "zorder", 3)).toEqual({ op: "and", of: [{ op: "true" }] });
    expect(project(eq("id", 1), "day")).toEqual({ op: "and", of: [] });
  });
});

describe("a filter that is put together bit by bit", () => {
  const many = Array.from({ length: 5_000 }, (_, i) => eq("id", i));

  it("is as flat as one that is given all at once", () => {
    expect(many.reduce((all, one) => or(all, one))).toEqual(or(...many));
    expect(many.reduce((all, one) => and(one, all))).toEqual(and(...many.toReversed()));
    expect(many.reduce<Predicate>((all) => not(all), ALWAYS)).toEqual(ALWAYS);
  });

  it("is refused where it is too deep", () => {
    const deep = many.reduce((all, one, i) => (i % 2 === 0 ? or(all, one) : and(all, one)));
    expect(() => bind(deep, schema)).toThrow("a filter has more than 500 levels");
  });
});
