/** The logs of a run's attempts. */
import { join } from "node:path";
import type { AttemptId, Outcome } from "../../core/journal.ts";
import { type LogPlace, locationOfFile } from "../../logs/log-place.ts";
import { AttemptLog, type LogSettings } from "./attempt-log.ts";
import { pathComponent } from "../../logs/path-component.ts";

export interface RunLogsOptions extends Pick<LogSettings, "now" | "errorLine" | "shownStack"> {
  readonly pipeline: string;
  readonly run: string | number;
  /** Takes a sentence when a log can't be written, the first time in the run. */
  readonly warn: (sentence: string) => void;
  /** Takes the file of each log that nothing is written to any more. */
  readonly ended?: ((file: string) => void) | undefined;
}

/** The folder of a run's logs. */
export function folderOfRun({ folder }: LogPlace, pipeline: string, run: string | number): string {
  return join(folder, pathComponent(pipeline), pathComponent(String(run)));
}

/**
 * Opens the logs of a run: `<pipeline>/<run>/<step>/<partition>/<attempt>.log` in the place's folder, which is made if it isn't there; a gather
 * step's, which has no partition, are `<step>/<attempt>.log`, a name that no partition's folder can have, as none has a dot. An attempt whose
 * log can't be opened or written goes on without it; the next one tries again.
 */
export class RunLogs implements Disposable {
  readonly #place: LogPlace;
  readonly #folder: string;
  readonly #ended: ((file: string) => void) | undefined;
  readonly #settings: LogSettings;
  readonly #logs = new Map<AttemptId, AttemptLog>();

  constructor(place: LogPlace, { pipeline, run, warn, ended, now, errorLine, shownStack }: RunLogsOptions) {
    this.#place = place;
    this.#folder = folderOfRun(place, pipeline, run);
    this.#ended = ended;
    let hasWarned = false;
    const failed = (file: string, error: unknown) => {
      if (hasWarned) return;
      hasWarned = true;
      warn(`${file} can't be written, so that the run goes on without some of its logs: ${(error as Error).message}`);
    };
    this.#settings = { now, errorLine, shownStack, failed };
  }

  /** Where an attempt's log is in the end: an absolute path, or `s3://…`. */
  locationOf(id: AttemptId): string {
    return locationOfFile(this.#place, this.#fileOf(id));
  }

  start(id: AttemptId): void {
    this.#logs.set(id, new AttemptLog(this.#fileOf(id), id, this.#settings));
  }

  /** The log of an attempt that is going on, by the very id that it was started with. */
  of(id: AttemptId | undefined): AttemptLog | undefined {
    return id && this.#logs.get(id);
  }

  end(id: AttemptId, outcome: Outcome): void {
    const log = this.#logs.get(id);
    if (log === undefined) return;
    log.end(outcome);
    this.#logs.delete(id);
    this.#ended?.(log.file);
  }

  /** Closes the logs of attempts whose end nobody knows. */
  [Symbol.dispose](): void {
    for (const log of this.#logs.values()) log.close();
    this.#logs.clear();
  }

  #fileOf({ step, partition, attempt }: AttemptId): string {
    const names = partition === undefined ? [step] : [step, partition];
    return join(this.#folder, ...names.map(pathComponent), `${attempt}.log`);
  }
}
