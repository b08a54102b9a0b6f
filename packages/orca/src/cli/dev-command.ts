/** `orca dev`: a pipeline's file as its program, in this process, with nothing left behind. */
import { randomUUID } from "node:crypto";
import { mkdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { buildPipeline } from "../registry/build.ts";
import type { Environment } from "./environment.ts";
import { leaveFaults } from "./process-terminal.ts";
import { SIGNALS } from "./signals.ts";

/**
 * Builds a pipeline's file without the type check, into a temporary folder, and becomes its program: it ends the process. The code takes
 * itself for the source, so that `import.meta` and packages are where the source is.
 *
 * @param words what the program is given.
 * @param folder what a relative path is relative to.
 */
export async function runUnbuilt(
  file: string,
  words: readonly string[],
  folder: string,
  { ORCA_SOURCE, ORCA_COMMIT, ORCA_DIRTY }: Environment,
): Promise<never> {
  const temporary = temporaryFolder();
  const source = { repository: ORCA_SOURCE, commit: ORCA_COMMIT, dirty: ORCA_DIRTY };
  const { out } = await buildPipeline({
    file,
    out: join(temporary, "program.mjs"),
    folder,
    native: false,
    check: false,
    source,
    runsAsSource: true,
  });
  process.argv = [process.execPath, resolve(folder, file), ...words];
  leaveFaults();
  await import(pathToFileURL(out).href);
  return await new Promise<never>(() => {}); // the program is going on, and ends the process
}

/** A folder that is there for as long as this process is, also where a signal ends it. */
function temporaryFolder(): string {
  const folder = join(tmpdir(), `orca-dev-${randomUUID()}`);
  const remove = () => rmSync(folder, { recursive: true, force: true });
  process.on("exit", remove);
  for (const name of SIGNALS) {
    process.on(name, function endBySignal() {
      if (process.listenerCount(name) > 1) return; // the program has its own way to end
      remove();
      process.off(name, endBySignal);
      process.kill(process.pid, name);
    });
  }
  mkdirSync(folder, { mode: 0o700 });
  return folder;
}
