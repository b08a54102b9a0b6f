/** What a build puts into a pipeline's file, besides its code. */
import type { Locations } from "../core/code-locations.ts";
import type { CodeHashes } from "../core/describe.ts";

/** A registry hash: 0x and 16 hexadecimal digits. */
export type Hash = `0x${string}`;

/** Read by the program in the file. */
export interface Built {
  /** Changes when a program can no longer read what an older build wrote. */
  readonly format: 1;
  /** The version of orcajs in the file. */
  readonly orca: string;
  readonly registry: Registry;
  readonly source: Source;
}

/** What code a pipeline is. Equal hashes mean equal code: see `registry.ts` for what counts. */
export interface Registry {
  /** The pipeline's name, where the code says it as a text. */
  readonly pipeline: string | null;
  readonly hash: Hash;
  /** Whether `steps` has every step, in order. If not, a step that isn't in it by name has the pipeline's hash. */
  readonly complete: boolean;
  readonly steps: readonly StepCode[];
  /** The tasks that the steps reach. One that isn't here by name has the pipeline's hash. */
  readonly tasks: readonly TaskCode[];
}

export interface StepCode {
  /** Empty where the code doesn't say it as a text: the step is known by its place. */
  readonly name: string;
  readonly kind: "mapped" | "gather" | null;
  /** Of all that it is: its name, kind, function, datasets and tasks, and the steps that it follows, with all that these reach. */
  readonly hash: Hash;
  /** Of its function alone: tells a changed step from one that follows it. */
  readonly own: Hash;
  /** What its function reaches of packages, as `name@version`. */
  readonly packages: readonly string[];
}

export interface TaskCode {
  readonly name: string;
  readonly hash: Hash;
  readonly packages: readonly string[];
}

/** Where the code is. */
export interface Source {
  /** Where the repository is on the web: `https://github.com/owner/repo`. */
  readonly repository: string | null;
  /** The commit, as its full hash. */
  readonly commit: string | null;
  /** Whether the code differs from that commit. */
  readonly dirty: boolean | null;
  readonly locations: Locations;
}

/** The hashes of a pipeline's steps and tasks, by the names that they have when it runs. */
export function namedHashes(
  registry: Registry,
  stepNames: readonly string[],
  taskNames: readonly string[],
): CodeHashes {
  const { hash, steps, tasks } = registry;
  // the code and the run agree on the steps: else a name says which one is meant, if it is there once
  const isInPlace =
    registry.complete &&
    steps.length === stepNames.length &&
    steps.every((s, i) => s.name === "" || s.name === stepNames[i]);
  return {
    hash,
    steps: stepNames.map((name, i) => ({ name, hash: (isInPlace ? steps[i] : only(steps, name))?.hash ?? hash })),
    tasks: taskNames.map((name) => ({ name, hash: only(tasks, name)?.hash ?? hash })),
  };
}

function only<T extends { readonly name: string }>(all: readonly T[], name: string): T | undefined {
  const found = all.filter((one) => one.name === name);
  return found.length === 1 ? found[0] : undefined;
}
