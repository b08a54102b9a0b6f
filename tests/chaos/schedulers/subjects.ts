/** What each seed disturbs: stand-ins, of which there can be many, and every tenth time a lake with real programs. */
import path from "node:path";
import { Lake } from "./lake/lake.ts";
import { lakePrograms } from "./lake/programs.ts";
import { standIns } from "./stand-ins.ts";
import type { Programs, Subject } from "./subject.ts";

const EACH = 10;

/** @param folder for programs and lakes. */
export function subjects(folder: string): (seed: number) => Promise<Subject> {
  let programs: Promise<Programs> | undefined;
  return async (seed) => {
    if (seed % EACH !== EACH - 1) return standIns();
    programs ??= lakePrograms(path.join(folder, "programs"));
    return await Lake.create({ programs: await programs, folder: path.join(folder, `lake-${seed}`, "lake"), seed });
  };
}
