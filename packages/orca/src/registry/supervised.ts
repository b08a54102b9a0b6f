/** Which of a run's two processes this is: see `inner-process.ts`. */

/** The variable by which a process knows that it is the inner one. */
export const SUPERVISED = "ORCA_SUPERVISED";

/** Whether this process is the inner one of a run. The processes that its steps start aren't, though they have its environment. */
export function isSupervised(): boolean {
  return process.env[SUPERVISED] !== undefined && process.send !== undefined;
}
