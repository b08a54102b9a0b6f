/** What the outer process of a run does of its attempts' logs: it outlives the inner one, and no step blocks it. */
import type { Outcome } from "../../core/journal.ts";
import { fileOfLocation, type LogPlace } from "../../logs/log-place.ts";
import { LogUploads } from "../../logs/log-uploads.ts";
import { endLog } from "./end-log.ts";
import { folderOfRun } from "./run-logs.ts";

/** How long the end of a run waits for a bucket that takes no logs, and for one that does, however many there are. */
const PATIENCE_MS = 10_000;
const PATIENCE_MS_MAX = 120_000;

export interface KeptLogsOptions {
  readonly pipeline: string;
  readonly run: number;
  readonly flushMs: number;
  readonly warn: (sentence: string) => void;
}

/** Ends the logs that the inner process couldn't, and uploads them all where they are for a bucket, until it is disposed. */
export class KeptLogs implements AsyncDisposable {
  readonly #place: LogPlace;
  readonly #uploads: LogUploads | undefined;

  constructor(place: LogPlace, { pipeline, run, flushMs, warn }: KeptLogsOptions) {
    const { folder, bucket } = place;
    this.#place = place;
    if (bucket === undefined) return;
    const patience = { patienceMs: PATIENCE_MS, patienceMsMax: PATIENCE_MS_MAX };
    const ofRun = folderOfRun(place, pipeline, run);
    this.#uploads = new LogUploads({ folder, bucket }, { folder: ofRun, flushMs, warn, ...patience });
  }

  /** @param file of a log that nothing is written to any more. */
  ended(file: string): void {
    this.#uploads?.ended(file);
  }

  /** Writes how an attempt ended whose own process couldn't. @param location as it is recorded with the attempt. */
  endAt(location: string, status: Outcome["status"], error: Error): void {
    const file = fileOfLocation(this.#place, location);
    endLog(file, status, error);
    this.#uploads?.ended(file);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#uploads?.[Symbol.asyncDispose]();
  }
}
