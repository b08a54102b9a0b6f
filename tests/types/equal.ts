/** Whether two types are the same, not merely assignable to each other. */
export type Equal<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;

/** Compiles only if the types that it is given are the same: `equal<Equal<typeof days, …>>()`. */
export function equal<_Same extends true>(): void {}
