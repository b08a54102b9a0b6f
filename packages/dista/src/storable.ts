/** Which types can be stored: JSON's, and Date, bigint, Map, Set and Uint8Array. The codec checks the same at run time. */

type Leaf = string | number | boolean | bigint | null | undefined | void | Date | Uint8Array;
type Fn = (...args: never) => unknown;
/** Classes that are structurally plain objects, so that only their names tell them apart. */
type ClassInstance = Error | RegExp | ArrayBuffer | WeakMap<never, unknown> | WeakSet<never>;

declare const unstorable: unique symbol;
/** Stands in for a part that can't be stored. No value has this type. */
interface Unstorable {
  readonly [unstorable]: true;
}

/** `T` with each part that can't be stored replaced: `T` extends it exactly when all of it can be. */
// prettier-ignore
type Marked<T> =
  unknown extends T ? T // any and unknown: checked at run time
  : T extends Leaf ? T
  : T extends Fn | symbol | PromiseLike<unknown> ? Unstorable
  : T extends ReadonlyMap<infer K, infer V> ? ReadonlyMap<Marked<K>, Marked<V>>
  : T extends ReadonlySet<infer V> ? ReadonlySet<Marked<V>>
  : T extends readonly unknown[] ? { [K in keyof T]: Marked<T[K]> }
  : T extends ClassInstance ? Unstorable
  : { [K in keyof T]: Marked<T[K]> };

/** Where `T` can't be stored and what is there, as sentences. Bounded in depth: types may be recursive. */
// prettier-ignore
type Where<T, Path extends string, Depth extends 0[] = []> =
  Depth["length"] extends 6 ? never
  : unknown extends T ? never
  : T extends Leaf ? never
  : T extends Fn ? `${Path} is a function`
  : T extends symbol ? `${Path} is a symbol`
  : T extends PromiseLike<unknown> ? `${Path} is a promise: await it`
  : T extends ReadonlyMap<infer K, infer V> ? Where<K, `a key of ${Path}`, [...Depth, 0]> | Where<V, `a value of ${Path}`, [...Depth, 0]>
  : T extends ReadonlySet<infer V> ? Where<V, `an element of ${Path}`, [...Depth, 0]>
  : T extends readonly (infer V)[] ? Where<V, `${Path}[]`, [...Depth, 0]>
  : T extends ClassInstance ? `${Path} is a class instance`
  : { [K in keyof T & string]: Where<T[K], `${Path}.${K}`, [...Depth, 0]> }[keyof T & string];

/** `Ok` if a `T` can be stored, else a sentence that says where it can't: `outputs must be storable: output.rows[].get is a function`. */
export type Storable<T, What extends string, Ok> = [T] extends [Marked<T>]
  ? Ok
  : `${What}s must be storable: ${Where<T, What>}`;
