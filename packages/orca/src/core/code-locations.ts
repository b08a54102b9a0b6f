/** Where a pipeline's code is declared, in its repository. */

/** A place in a file, whose path is relative to the repository, or outside of one to the pipeline's folder. */
export interface Location {
  readonly file: string;
  /** From 1. */
  readonly line: number;
}

/** Where things are declared. What isn't known isn't in it. */
export interface Locations {
  readonly pipeline: Location | null;
  readonly steps: Readonly<Record<string, Location>>;
  readonly tasks: Readonly<Record<string, Location>>;
}
