/** Builds the lake's pipelines, once for all seeds. */
import { mkdirSync } from "node:fs";
import path from "node:path";
import { describeProgram } from "../../../../packages/orca/dist/scheduler/programs.js";
import { callOrca } from "../../../e2e/programs.ts";
import type { Programs } from "../subject.ts";

const NAMES = ["taking", "filling", "adding", "adding-days", "labelling"];

/** @param folder that the programs are written into. */
export async function lakePrograms(folder: string): Promise<Programs> {
  mkdirSync(folder, { recursive: true });
  const of = async (name: string) => {
    const program = path.join(folder, name);
    const file = path.join(import.meta.dirname, `${name}.ts`);
    const { code, stderr } = await callOrca(["build", file, "-o", program, "--no-check"]);
    if (code !== 0) throw new Error(stderr);
    return { description: await describeProgram(program, { env: process.env }), program };
  };
  const programs = await Promise.all(NAMES.map(of));
  const anew = [await of("taking-anew"), ...programs.slice(1)];
  return (code) => (code % 2 === 1 ? programs : anew);
}
