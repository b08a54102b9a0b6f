/** What asks a process to stop: Ctrl-C, whoever manages it, and a terminal that is closed. */
import { OrcaError } from "../core/errors.ts";
import type { Stop } from "../run/supervision.ts";
import type { Supervisor } from "../run/supervisor.ts";

export const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/** Listens to them until it is disposed. */
export function onSignals(listener: (signal: NodeJS.Signals) => void): Disposable {
  for (const name of SIGNALS) process.on(name, listener);
  return {
    [Symbol.dispose]: () => {
      for (const name of SIGNALS) process.off(name, listener);
    },
  };
}

/** Two signals within this time are one: Ctrl-C under `npm run` comes from the terminal and again from npm. */
const SAME_SIGNAL_MS = 100;

/**
 * Stops a run on the first signal, in order, and at once on the second.
 *
 * @param onArmed called when a second signal would be taken for one, if there is still something to stop.
 */
export function stopOnSignals(supervisor: Supervisor, onArmed: (how: Stop) => void): Disposable {
  let isArmed = false;
  let arming: NodeJS.Timeout | undefined;
  const onSignal = (signal: NodeJS.Signals) => {
    // whoever manages the machine means the process, and a person means the run
    const how = signal === "SIGTERM" ? "leave" : "cancel";
    supervisor.askToStop(how);
    arming ??= setTimeout(() => {
      isArmed = true;
      // what the inner process has told by now is heard first: a busy machine may be late with this timer
      setImmediate(() => {
        if (!supervisor.isOver) onArmed(how);
      });
    }, SAME_SIGNAL_MS);
    if (isArmed) supervisor.kill(new OrcaError("cancelled", "stopped at once: the running steps were cut off"));
  };
  const listening = onSignals(onSignal);
  return {
    [Symbol.dispose]: () => {
      clearTimeout(arming);
      listening[Symbol.dispose]();
    },
  };
}
