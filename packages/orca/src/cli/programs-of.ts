/** The programs that are kept of a database's pipelines. */
import { homedir } from "node:os";
import { join } from "node:path";
import { programsFolder, removeUnneeded, type ProgramsFolder } from "../scheduler/kept-programs.ts";
import type { Database } from "../state/database.ts";
import { nameOfDatabase, withNeededPrograms } from "../state/needed-programs.ts";
import type { Environment } from "./environment.ts";

export function programsIn({ ORCA_PROGRAMS }: Environment): string {
  return ORCA_PROGRAMS ?? join(homedir(), ".local/share/orca/programs");
}

export async function programsOf(database: Database, environment: Environment): Promise<ProgramsFolder> {
  return programsFolder(programsIn(environment), await nameOfDatabase(database));
}

/** Removes those that no registered pipeline and no run that is going on needs. @returns how many. */
export async function removePrograms(database: Database, folder: ProgramsFolder): Promise<number> {
  return await withNeededPrograms(database, (needed) => removeUnneeded(folder, needed, new Date()));
}
