/**
 * The registry hash: what code a pipeline, each of its steps and each of its tasks is.
 *
 * A step's hash covers its kind, name, function, tasks, the datasets that it declares with their columns, and the steps that it follows;
 * with all that these reach in the user's code, and the versions of the packages that they reach. So a change redoes a step and what
 * follows it, and nothing else. Left out are what changes nothing that the code does (retries, timeouts, schedules, partitions, docs) and
 * the versions of Orca and of Node.
 */
import { dirname, relative, resolve } from "node:path";
import type * as Esbuild from "esbuild";
import { buildFailure, isBuildFailure } from "./build-failure.ts";
import type { Locations } from "../core/code-locations.ts";
import type { Registry, StepCode, TaskCode } from "./built.ts";
import { readCode } from "./code.ts";
import { findDeclarations, findTasks, type Declarations, type StepDeclaration } from "./declarations.ts";
import { flatten, type Flat } from "./flatten.ts";
import { NO_LOCATIONS, readLocations } from "./locations.ts";
import { noDefaultExport } from "./no-default-export.ts";
import { PACKAGE_SPECIFIER } from "./package-versions.ts";
import { createReach, hashOf, type Reach } from "./reached.ts";

export interface ReadRegistry {
  readonly registry: Registry;
  /** Where the pipeline, its steps and its tasks are declared. */
  readonly locations: Locations;
  /** The files of the user's own that the pipeline is made of, as absolute paths. */
  readonly files: readonly string[];
}

export interface RegistryOptions {
  /** The pipeline's file. */
  readonly file: string;
  /** The folder that the paths of locations are relative to; by default the file's. */
  readonly root?: string | undefined;
  /** The folder that the paths in errors are relative to; by default the file's. */
  readonly folder?: string | undefined;
  /** For a test of two versions of it. */
  readonly esbuild?: Pick<typeof Esbuild, "build">;
}

/**
 * Reads the code of a pipeline, without running it.
 *
 * @throws OrcaError `build-failed` where it doesn't parse, a file of it is missing, or it has no default export.
 */
export async function readRegistry({ file, root, folder, esbuild }: RegistryOptions): Promise<ReadRegistry> {
  const home = dirname(resolve(file));
  const flat = await flatten(file, esbuild).catch((error: unknown) => {
    throw isBuildFailure(error) ? buildFailure(error.errors, home, folder ?? home) : error;
  });
  const analysed = analyse(flat, { home, root: root ?? home });
  if (analysed === "no default export") throw noDefaultExport(relative(folder ?? home, resolve(file)));
  return { ...(analysed ?? wholeOf(flat)), files: flat.files };
}

type Analysed = Omit<ReadRegistry, "files">;

/** What can be said of a module's code; undefined where it has syntax that can't be analysed, or is nested too deep to be. */
function analyse(flat: Flat, folders: { home: string; root: string }): Analysed | "no default export" | undefined {
  try {
    const code = readCode(flat.text, flat.runtimeEnd);
    const declarations = findDeclarations(code);
    if (declarations === undefined) return "no default export";
    const reach = createReach(code, flat.packages);
    const whole = reach(declarations.pipeline);
    const tasks = findTasks(whole.units, code);
    const registry = {
      ...hashesOf(declarations, reach),
      tasks: tasks.map(({ name, node }): TaskCode => {
        const { hash, packages } = reach(node);
        return { name, hash, packages };
      }),
    };
    return { registry, locations: readLocations(flat, folders, declarations, tasks) };
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof RangeError) return undefined;
    throw error;
  }
}

function hashesOf({ pipeline, name, steps }: Declarations, reach: Reach): Omit<Registry, "tasks"> {
  const hashes = (steps ?? []).map((step) => hashStep(step, reach));
  if (name === undefined || steps === undefined) {
    return { pipeline: name ?? null, hash: reach(pipeline).hash, complete: false, steps: hashes };
  }
  return {
    pipeline: name,
    hash: hashOf(["pipeline", name, ...hashes.map((s) => s.hash)]),
    complete: true,
    steps: hashes,
  };
}

function hashStep({ node, kind, name, fn }: StepDeclaration, reach: Reach): StepCode {
  const { hash, packages } = reach(node);
  const own = fn === undefined ? { hash, packages } : reach(fn);
  return { name: name ?? "", kind: kind ?? null, hash, own: own.hash, packages: own.packages };
}

/** All of the code, as esbuild writes it: changed by more than it need be, and by all that it must be. */
function wholeOf({ text, packages }: Flat): Analysed {
  const versions = [...packages.values()].flatMap((p) => [p.specifier, ...p.versions]).sort();
  // the numbers of packages are in no order
  const named = text.replaceAll(PACKAGE_SPECIFIER, (specifier) => JSON.stringify(packages.get(specifier)));
  const hash = hashOf([named, ...versions]);
  return { registry: { pipeline: null, hash, complete: false, steps: [], tasks: [] }, locations: NO_LOCATIONS };
}
