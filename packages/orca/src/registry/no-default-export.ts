import { OrcaError } from "../core/errors.ts";

/** The error of a file that exports no pipeline. */
export function noDefaultExport(file: string): OrcaError {
  return new OrcaError("build-failed", `${file} has no default export: end it with export default pipeline(…)`);
}
