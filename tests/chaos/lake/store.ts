/** What a lake is kept in, and what stands between it and programs. */
import type { Catalog } from "@orcajs/iceberg";
import type { Side } from "../held.ts";

/** How a request to a store fails: it gets no reply, or one of an error. A file system only has errors. */
export type StoreFault = "reset" | "500" | "503";

/** Is asked at every request twice: what it returns is awaited before the request or its reply goes on, and may be a fault that comes in its place. */
export type StoreGate = (request: string, side: Side) => Promise<StoreFault | undefined>;

/** Between one program and the store. */
export interface Guard extends AsyncDisposable {
  /** The variables by which the program goes through it. */
  readonly env: Readonly<Record<string, string>>;
}

export interface Store extends AsyncDisposable {
  /** Opens what it has under a name, past all guards. */
  open(name: string): Catalog;
  guard(name: string, gate: StoreGate): Promise<Guard>;
  /** The store's own files in what it has under a name: temporary ones, and locks. */
  ownFiles(name: string): readonly string[];
}

const KINDS: readonly (readonly [RegExp, string])[] = [
  [/\.metadata\.json$/, "metadata file"],
  [/version-hint\.text$/, "hint"],
  [/\/snap-[^/]*\.avro$/, "manifest list"],
  [/\.avro$/, "manifest"],
  [/\.parquet$/, "data file"],
  [/\.lock(\/|$)/, "lock"],
  [/\.~/, "temporary"],
];

/** What a file of a table is, by its name. */
export function kindOf(name: string): string {
  return KINDS.find(([pattern]) => pattern.test(name))?.[1] ?? "other";
}
