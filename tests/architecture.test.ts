import { globSync, readFileSync } from "node:fs";
import path from "node:path";
import { expect, it } from "vitest";

const src = path.resolve(import.meta.dirname, "../packages/orca/src");

/** What the files of each folder may import, besides their own folder; the entry points (index.ts, testing.ts, …) import what they show. */
const MAY_IMPORT: Readonly<Record<string, readonly string[]>> = {
  core: [],
  registry: ["core"],
  state: ["core"],
  postgres: ["core"],
  tables: ["core"],
  tasks: ["core"],
  logs: ["core"],
  run: ["core", "logs", "state", "tables", "tasks"],
  scheduler: ["core", "state", "runners"],
  runners: ["core"],
  ui: ["core", "logs", "state"],
  cli: ["core", "logs", "registry", "state", "tables", "tasks", "run", "scheduler", "runners", "ui", "postgres"],
};

/** Every relative import, of types too, and of those loaded later: from file to file, by paths below `src`. */
const edges = globSync("**/*.{ts,tsx}", { cwd: src })
  .filter((file) => !/\.(test|fixture)\.tsx?$/.test(file))
  .flatMap((file) => {
    const text = readFileSync(path.join(src, file), "utf8");
    return Array.from(text.matchAll(/(?:\bfrom|\bimport)\s*\(?\s*"(\.[^"]+)"/g), ([, to]) => ({
      from: file,
      to: path.normalize(path.join(path.dirname(file), to!)),
    }));
  });

const folderOf = (file: string) => (file.includes(path.sep) ? file.split(path.sep)[0]! : "");

it("has the folders that the architecture names, and no others", () => {
  const folders = new Set(globSync("*/*", { cwd: src }).map(folderOf));
  expect([...folders].filter((folder) => !Object.hasOwn(MAY_IMPORT, folder))).toEqual([]);
});

it("imports only downwards between folders", () => {
  const upwards = edges.filter(({ from, to }) => {
    const [folder, target] = [folderOf(from), folderOf(to)];
    return folder !== "" && folder !== target && !MAY_IMPORT[folder]!.includes(target);
  });
  expect(upwards).toEqual([]);
});

it("has no cycle of imports that are needed at run time", () => {
  const graph = new Map<string, string[]>();
  for (const file of new Set(edges.map((e) => e.from))) {
    const text = readFileSync(path.join(src, file), "utf8");
    const values = Array.from(text.matchAll(/^(?:import|export) (?!type)[^;]*?from "(\.[^"]+)"/gm), ([, to]) =>
      path.normalize(path.join(path.dirname(file), to!)),
    );
    graph.set(file, values);
  }
  const done = new Set<string>();
  const cycleFrom = (file: string, trail: readonly string[]): readonly string[] | undefined => {
    if (trail.includes(file)) return [...trail.slice(trail.indexOf(file)), file];
    if (done.has(file)) return undefined;
    for (const to of graph.get(file) ?? []) {
      const cycle = cycleFrom(to, [...trail, file]);
      if (cycle !== undefined) return cycle;
    }
    done.add(file);
    return undefined;
  };
  expect([...graph.keys()].map((file) => cycleFrom(file, [])).find((cycle) => cycle !== undefined)).toBeUndefined();
});

it("keeps core free of input, output and clocks", () => {
  const impure = globSync("core/**/*.ts", { cwd: src })
    .filter((file) => !/\.(test|fixture)\.tsx?$/.test(file))
    .flatMap((file) => {
      const text = readFileSync(path.join(src, file), "utf8");
      const found = /\bfrom "node:|\bprocess\.|\bDate\.now\(|\bnew Date\(\)|\bMath\.random\(|\bperformance\./.exec(
        text,
      );
      return found === null ? [] : [`${file}: ${found[0]}`];
    });
  expect(impure).toEqual([]);
});
