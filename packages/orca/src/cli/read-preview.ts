/** A dataset's first rows, read by a process of their own: one that takes too long or too much memory is ended, and the server isn't. */
import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { OrcaError } from "../core/errors.ts";
import type { TablePreview } from "../core/table-preview.ts";

const PROGRAM = fileURLToPath(new URL("../../bin/orca.js", import.meta.url));
const TIME_MAX_MS = 20_000;
const BYTES_MAX = 1_000_000;
const HEAP_MB = 256;

/** @throws OrcaError `table-missing` with the sentence of what couldn't be read. */
export async function readPreview(dataset: string, env: NodeJS.ProcessEnv): Promise<TablePreview> {
  try {
    const { stdout } = await promisify(execFile)(
      process.execPath,
      [`--max-old-space-size=${HEAP_MB}`, PROGRAM, "preview", dataset],
      {
        env,
        timeout: TIME_MAX_MS,
        killSignal: "SIGKILL",
        maxBuffer: BYTES_MAX,
      },
    );
    return JSON.parse(stdout) as TablePreview;
  } catch (cause) {
    throw new OrcaError("table-missing", `the rows of ${dataset} couldn't be read: ${whyNot(cause)}`, { cause });
  }
}

function whyNot(thrown: unknown): string {
  const { killed, stderr = "", message } = thrown as { killed?: boolean; stderr?: string; message: string };
  if (killed === true) return `that took longer than ${TIME_MAX_MS / 1000} s`;
  const said = /^error: (.*)$/m.exec(stderr)?.[1];
  return said ?? message;
}
