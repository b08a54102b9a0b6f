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
  /** Says that this process is about to end, and means it. Settles when that was heard, or nobody is there to hear it: the last words are this process's. May be called twice. */
  over(): Promise<void>;
}

/** Connects to the outer process. It doesn't keep this one going. */
export function connectToOuter(): Outer {
  const controller = new AbortController();
  const stop = (how: Stop) => controller.abort(how);
  const { channel } = process; // none where the outer process is gone already
  process.on("message", (message: ToInner) => message.kind === "stop" && stop(message.how));
  process.on("disconnect", () => stop("leave"));
  const handover = new Promise<Handover>((resolve) => {
    process.on("message", (message: ToInner) => message.kind === "run" && resolve(message.handover));
  });
  const heard = new Promise<void>((resolve) => {
    process.on("message", ({ kind }: ToInner) => kind === "over" && resolve());
    process.on("disconnect", resolve);
  });
  // a terminal's Ctrl-C comes to both processes, and the outer one says what it means
  process.on("SIGINT", () => {}).on("SIGHUP", () => {});
  process.on("SIGTERM", () => stop("leave"));
  channel?.unref();
  const tell = (message: FromInner) => {
    if (process.connected) process.send!(message, undefined, undefined, () => {}); // an outer process that is gone hears nothing
  };
  const waitedFor = async <T>(promise: Promise<T>): Promise<T> => {
    channel?.ref();
    const given = await promise;
    channel?.unref();
    return given;
  };
  return {
    signal: controller.signal,
    handover: () => waitedFor(handover),
    watchdog: {
      expect: (id, withinMs) => tell({ kind: "expect", id, withinMs }),
      ended: (id) => tell({ kind: "ended", id }),
    },
    logEnded: (file) => tell({ kind: "log", file }),
    async over() {
      tell({ kind: "over" });
      if (process.connected) await waitedFor(heard);
    },
  };
}
