/** The outer of a run's two processes, from its start to its exit code. */
import { startInner } from "../registry/inner-process.ts";
import { positionOf } from "../registry/position.ts";
import { type InnerEnd, Supervisor } from "../run/supervisor.ts";
import { ExitWith, warningsOf, type Terminal } from "./command-line.ts";
import type { Environment } from "./environment.ts";
import type { RunManner } from "./run-command.ts";
import { isDrawn, progressStream } from "./run-display.ts";
import { stopOnSignals } from "./signals.ts";

/** @param go starts the inner process, and gives how the run's last one ended. */
export async function superviseRun(
  { isJson }: RunManner,
  { ORCA_GRACE_SECONDS }: Environment,
  terminal: Terminal,
  go: (supervisor: Supervisor, warn: (sentence: string) => void) => Promise<InnerEnd>,
): Promise<never> {
  const supervisor = new Supervisor({
    start: () => startInner(terminal.env),
    graceMs: ORCA_GRACE_SECONDS * 1000,
    placeOf,
  });
  const out = progressStream(isJson, terminal);
  using _ = stopOnSignals(supervisor, (how) => {
    if (isDrawn(isJson, terminal)) return; // a drawing says it itself
    const what = how === "cancel" ? "cancelling" : "stopping";
    out.write(`${what}: waiting for the running steps; another signal stops at once\n`);
  });
  const end = await go(supervisor, warningsOf(terminal));
  if ("crash" in end) throw end.crash.error;
  throw new ExitWith(end.exitCode);
}

function placeOf(frames: readonly string[]): string | undefined {
  const stack = frames.map((frame) => `    at ${frame}`).join("\n");
  return positionOf(Object.assign(new Error("a crash"), { stack }));
}
