/** Partition fields and sort orders as literal types, checked against a dataset's columns; field.ts has the same at run time. */
import type { Dynamic } from "../keys/calendar-text.ts";
import type { Mistake } from "../mistake.ts";
import type { Bare, Begun, Trim } from "./column-notation.ts";

type Moment = "timestamp" | "timestamptz";
type Dated = "date" | Moment;
type Bucketed =
  | "int"
  | "long"
  | Dated
  | "time"
  | "string"
  | "uuid"
  | "binary"
  | `decimal(${string}`
  | `fixed(${string}`;
type Truncated = "int" | "long" | "string" | "binary" | `decimal(${string}`;
/** What each transform takes. */
interface Transforms {
  year: Dated;
  month: Dated;
  day: Dated;
  hour: Moment;
  bucket: Bucketed;
  truncate: Truncated;
}
interface TransformTakes {
  year: "a date or a timestamp";
  month: "a date or a timestamp";
  day: "a date or a timestamp";
  hour: "a timestamp";
  bucket: "no boolean, float, double, list, struct or map";
  truncate: "an int, long, decimal, string or binary";
}

type Named<S, T> = { [K in keyof S]: Bare<S[K]> extends T ? K : never }[keyof S] & string;
/** What completes a text that is being typed. */
// prettier-ignore
type Suggested<S> =
  | Named<S, string> | `${"year" | "month" | "day"}(${Named<S, Dated>})` | `hour(${Named<S, Moment>})`
  | `bucket(16, ${Named<S, Bucketed>})` | `truncate(16, ${Named<S, Truncated>})`;

/** The type of the column at a path such as `place.lat`. */
// prettier-ignore
type TypeAt<S, Path extends string> =
  Path extends keyof S ? Bare<S[Path]>
  : Path extends `${infer A}.${infer B}` ? (A extends keyof S ? TypeAt<FieldsOf<S[A]>, B> : undefined)
  : undefined;
/** The fields of a struct; a list's and a map's elements are no columns. */
// prettier-ignore
type FieldsOf<T> =
  T extends { readonly "?": infer U } ? FieldsOf<U>
  : T extends string | readonly unknown[] ? {}
  : keyof T extends `[${string}]` ? {}
  : T;

/** `F` if it can part the files of a table with columns `S`, else a sentence. */
// prettier-ignore
export type CheckField<F extends string, S> =
  F extends Dynamic<F> ? F
  : F extends `${infer Fn}(${infer Args})` ? Fn extends keyof Transforms
    ? Fn extends "bucket" | "truncate"
      ? Args extends `${infer N},${infer C}` ? N extends `${"-" | "0"}${string}` ? Mistake<NoTransform<F>> : N extends `${bigint}` ? CheckTaken<F, Fn, Trim<C>, S> : Mistake<NoTransform<F>> : Mistake<NoTransform<F>>
      : CheckTaken<F, Fn, Trim<Args>, S>
    : Mistake<NoTransform<F>>
  : TypeAt<S, F> extends infer T ? T extends string ? F : T extends undefined ? Completed<F, Suggested<S>> : Mistake<`${F} is a list, struct or map: it can't be a key`> : never;
// prettier-ignore
type CheckTaken<F extends string, Fn extends keyof Transforms, C extends string, S> =
  TypeAt<S, C> extends infer T
    ? T extends Transforms[Fn] ? F
    : T extends undefined ? Mistake<NoColumn<C>>
    : Mistake<`${Fn} takes ${TransformTakes[Fn]}, and ${C} is a ${T extends string ? T : "list, struct or map"}`>
  : never;
// prettier-ignore
type Completed<F extends string, Known extends string> = Begun<Known, F> extends infer B ? ([B] extends [never] ? Mistake<NoColumn<F>> : B) : never;
type NoColumn<C extends string> = `'${C}' isn't a column`;
// prettier-ignore
type NoTransform<F extends string> = `'${F}' isn't a transform: write year(c), month(c), day(c), hour(c), bucket(n, c) or truncate(n, c)`;

/** `F` if it can sort the rows of a table with columns `S`, else a sentence. */
// prettier-ignore
export type CheckOrder<F extends string, S> =
  F extends Dynamic<F> ? F
  : F extends `${infer G} nulls ${"first" | "last"}` ? Kept<F, G, CheckDirected<G, S>>
  : CheckDirected<F, S>;
// prettier-ignore
type CheckDirected<F extends string, S> = F extends `${infer G} ${"asc" | "desc"}` ? Kept<F, G, CheckField<G, S>> : CheckField<F, S>;
type Kept<F, G, Checked> = Checked extends G ? F : Checked;

/** The paths of columns `S`: `place.lat` is a struct's field, and so is one of the structs in a list or a map. */
// prettier-ignore
export type ColumnPath<S> = string extends keyof S ? string : { [K in keyof S & string]: K | (S[K] extends string ? never : `${K}.${PathWithin<S[K]>}`) }[keyof S & string];
// prettier-ignore
type PathWithin<T> =
  T extends readonly [infer E] ? PathWithin<E>
  : T extends { readonly "?": infer U } ? PathWithin<U>
  : T extends string ? never
  : keyof T extends `[${string}]` ? PathWithin<T[keyof T]>
  : ColumnPath<T>;
