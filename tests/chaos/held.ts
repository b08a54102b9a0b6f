/** A request that a proxy holds, before the server has it or before the program has the answer. */
export interface Held {
  /** The connection is lost on both sides. */
  cut(): void;
  /** The connection is lost on the program's side; the server goes on with what it was asked, or is going to be. */
  lose(): void;
}

/** Where a request is: with the proxy, before the server has it, or done, before the program has the answer. */
export type Side = "before" | "after";
