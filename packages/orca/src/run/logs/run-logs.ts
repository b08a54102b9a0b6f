/** The logs of a run's attempts, in a folder. */
import { join, resolve } from "node:path";
import type { AttemptId, Outcome } from "../../core/journal.ts";
import { AttemptLog, type LogSettings } from "./attempt-log.ts";
import { pathComponent } from "./path-component.ts";

export interface RunLogsOptions extends Pick<LogSettings, "now" | "errorLine" | "shownStack"> {
  readonly pipeline: string;
  readonly run: string | number;
  /** Takes a sentence when a log can't be written, the first time in the run. */
  readonly warn: (sentence: string) => void;
}

/**
 * Opens the logs of a run: `<pipeline>/<run>/<step>/<partition>/<attempt>.log` in a folder, which is made if it isn't there; a gather
 * step's, which has no partition, are `<step>/<attempt>.log`, a name that no partition's folder can have, as none has a dot. An attempt whose
 * log can't be opened or written goes on without it; the next one tries again.
 */
export class RunLogs implements Disposable {
  readonly #folder: string;
  readonly #settings: LogSettings;
  readonly #logs = new Map<AttemptId, AttemptLog>();

  constructor(folder: string, { pipeline, run, warn, now, errorLine, shownStack }: RunLogsOptions) {
    this.#folder = resolve(folder, pathComponent(pipeline), pathComponent(String(run)));
    let hasWarned = false;
    const failed = (location: string, error: unknown) => {
      if (hasWarned) return;
      hasWarned = true;
      warn(
        `${location} can't be written, so that the run goes on without some of its logs: ${(error as Error).message}`,
      );
    };
    this.#settings = { now, errorLine, shownStack, failed };
  }

  /** An absolute path. */
  locationOf({ step, partition, attempt }: AttemptId): string {
    const names = partition === undefined ? [step] : [step, partition];
    return join(this.#folder, ...names.map(pathComponent), `${attempt}.log`);
  }

  start(id: AttemptId): void {
    this.#logs.set(id, new AttemptLog(this.locationOf(id), id, this.#settings));
  }

  /** The log of an attempt that is going on, by the very id that it was started with. */
  of(id: AttemptId | undefined): AttemptLog | undefined {
    return id && this.#logs.get(id);
  }

  end(id: AttemptId, outcome: Outcome): void {
    this.#logs.get(id)?.end(outcome);
    this.#logs.delete(id);
  }

  /** Closes the logs of attempts whose end nobody knows. */
  [Symbol.dispose](): void {
    for (const log of this.#logs.values()) log.close();
    this.#logs.clear();
  }
}
