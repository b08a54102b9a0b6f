/** Values that only a function of ours makes: what it has checked then holds for as long as they are. */

declare const maker: unique symbol;
/** The part of a value's type that no object written by hand has. `By` says what makes the value: the compiler shows it. */
export interface Made<By extends string> {
  readonly [maker]: By;
}

/** Registered, so that another copy of this package knows the values that this one makes. */
const MADE = Symbol.for("orcajs.made");

/** Freezes a value, and marks it as made here. The mark isn't enumerable: a copy with other members hasn't got it. */
export function made<const T extends object>(value: T): T & Made<any> {
  return Object.freeze(Object.defineProperty(value, MADE, { value: true })) as T & Made<any>;
}

/** Whether a value is one that `made` gave, in this copy of the package or in another. */
export function isMade(value: unknown): value is object {
  return typeof value === "object" && value !== null && Object.hasOwn(value, MADE);
}
