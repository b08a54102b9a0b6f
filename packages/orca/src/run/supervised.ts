/** The inner of a run's two processes: what it tells the outer one, and hears from it. See `supervisor.ts`. */
import type { Watchdog } from "./driver.ts";
import { SUPERVISED, type FromInner, type ToInner } from "./supervision.ts";

/** The outer process, as the inner one has it. */
export interface Outer {
  /** Aborted when the run is to stop: when the outer process says so, or is gone. */
  readonly signal: AbortSignal;
  readonly watchdog: Watchdog;
}

/** Connects to the outer process. It doesn't keep this one going. */
export function connectToOuter(): Outer {
  delete process.env[SUPERVISED];
  const controller = new AbortController();
  const stop = () => controller.abort();
  process.on("message", (message: ToInner) => {
    if (message.kind === "cancel") stop();
  });
  process.on("disconnect", stop);
  // a terminal's Ctrl-C comes to both processes, and the outer one says what it means
  process.on("SIGINT", () => {}).on("SIGHUP", () => {});
  process.on("SIGTERM", stop);
  process.channel!.unref();
  const tell = (message: FromInner) => {
    if (process.connected) process.send!(message, undefined, undefined, () => {}); // an outer process that is gone hears nothing
  };
  return {
    signal: controller.signal,
    watchdog: {
      expect: (id, withinMs) => tell({ kind: "expect", id, withinMs }),
      ended: (id) => tell({ kind: "ended", id }),
    },
  };
}
