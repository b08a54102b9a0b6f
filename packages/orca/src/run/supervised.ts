/** The inner of a run's two processes: what it tells the outer one, and hears from it. See `supervisor.ts`. */
import type { Watchdog } from "./run-options.ts";
import type { FromInner, Handover, Stop, ToInner } from "./supervision.ts";

/** The outer process, as the inner one has it. */
export interface Outer {
  /** Aborted when the run is to stop, with how: when the outer process says so, or is gone. */
  readonly signal: AbortSignal & { readonly reason: Stop };
  readonly watchdog: Watchdog;
  /** The run that this process is to go on with, in a process for a recorded one. */
  handover(): Promise<Handover>;
  /** Says that an attempt's log is whole. */
  logEnded(file: string): void;
  /** Says that this process is about to end, and means it. May be called twice. */
  over(): void;
}

/** Connects to the outer process. It doesn't keep this one going. */
export function connectToOuter(): Outer {
  const controller = new AbortController();
  const stop = (how: Stop) => controller.abort(how);
  const { channel } = process; // none where the outer process is gone already
  const handover = new Promise<Handover>((resolve) => {
    process.on("message", (message: ToInner) => {
      if (message.kind === "run") resolve(message.handover);
      else stop(message.how);
    });
  });
  process.on("disconnect", () => stop("leave"));
  // a terminal's Ctrl-C comes to both processes, and the outer one says what it means
  process.on("SIGINT", () => {}).on("SIGHUP", () => {});
  process.on("SIGTERM", () => stop("leave"));
  channel?.unref();
  const tell = (message: FromInner) => {
    if (process.connected) process.send!(message, undefined, undefined, () => {}); // an outer process that is gone hears nothing
  };
  return {
    signal: controller.signal,
    async handover() {
      channel?.ref();
      const given = await handover;
      channel?.unref();
      return given;
    },
    watchdog: {
      expect: (id, withinMs) => tell({ kind: "expect", id, withinMs }),
      ended: (id) => tell({ kind: "ended", id }),
    },
    logEnded: (file) => tell({ kind: "log", file }),
    over: () => tell({ kind: "over" }),
  };
}
