/** The pipeline of steps without tables. */
import path from "node:path";
import { callOrca } from "../e2e/programs.ts";
import type { Subject } from "./seed.ts";

/** Builds it into a folder. @throws what the build says. */
export async function stepsSubject(folder: string): Promise<Subject> {
  return {
    program: await built("pipeline.ts", path.join(folder, "chaos")),
    keysOf: (partitions) => Array.from({ length: partitions }, (_, i) => `k${String(i).padStart(2, "0")}`).join(","),
    outputsOf: (partitions) => partitions * 5 + 2,
    follows: [
      ["left", "fetch"],
      ["right", "fetch"],
      ["join", "left"],
      ["join", "right"],
      ["total", "join"],
      ["share", "join"],
      ["summary", "share"],
      ["summary", "total"],
    ],
  };
}

/** Builds a pipeline of the suite, and gives its program. */
export async function built(pipeline: string, program: string): Promise<string> {
  const { code, stderr } = await callOrca(["build", path.join(import.meta.dirname, pipeline), "-o", program]);
  if (code !== 0) throw new Error(stderr);
  return program;
}
