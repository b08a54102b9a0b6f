/** What runs' processes print: to a file of each, in the folder of its run. */
import { createReadStream } from "node:fs";
import { readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { OrcaError } from "../core/errors.ts";
import { keyOfFile, locationOfFile, type LogPlace, rootOf } from "../logs/log-place.ts";
import { folderOfRun } from "../run/logs/run-logs.ts";
import type { RunToStart } from "../runners/runner.ts";

/** A process that a scheduler has started: which of its run's it is, from 1. */
export interface RunProcess {
  readonly run: number;
  readonly launch: number;
}

/**
 * Each is `<pipeline>/<run>/driver-<n>.log`, n being the how manieth process of the run it is of. What is for a bucket is written beside the stage of attempts' logs,
 * and uploaded when its process has ended: by the scheduler that started it, or if that has ended before, by one that looks for what is left.
 */
export class DriverLogs {
  readonly #place: LogPlace;

  constructor(place: LogPlace) {
    this.#place = place.bucket === undefined ? place : { ...place, folder: `${place.folder}.drivers` };
  }

  /** The file that a process prints to. */
  fileOf({ pipeline, run, launch }: RunProcess & Pick<RunToStart, "pipeline">): string {
    return join(folderOfRun(this.#place, pipeline, run), `driver-${launch}.log`);
  }

  /** Where it is in the end. */
  locationOf(process: Parameters<DriverLogs["fileOf"]>[0]): string {
    return locationOfFile(this.#place, this.fileOf(process));
  }

  /** Uploads a file that nothing is written to any more, if it is for a bucket. */
  async written(file: string): Promise<void> {
    const { bucket, folder } = this.#place;
    if (bucket === undefined) return;
    const { openObjectStore } = await import("@orcajs/objectstore");
    await using store = openObjectStore(bucket);
    await store.put(keyOfFile(folder, file), createReadStream(file) as AsyncIterable<Buffer>);
    await rm(file, { force: true });
  }

  /**
   * Uploads what processes have left that ended when no scheduler was there to see it, or when the bucket couldn't be reached.
   *
   * @param goingOn gives those of some runs' processes that haven't ended.
   * @throws OrcaError `logs-unreachable`: then it stays where it is.
   */
  async uploadLeft(goingOn: (runs: readonly number[]) => Promise<readonly RunProcess[]>): Promise<void> {
    const { bucket, folder } = this.#place;
    if (bucket === undefined) return;
    const left = await processesIn(folder);
    if (left.length === 0) return;
    const writing = new Set((await goingOn(left.map((one) => one.run))).map(nameOf));
    for (const one of left) {
      if (writing.has(nameOf(one))) continue;
      await this.written(one.file).catch((cause: Error) => {
        const what = `what runs' processes printed can't be uploaded to ${rootOf(bucket)}, and stays in ${folder} until it can`;
        throw new OrcaError("logs-unreachable", `${what}: ${cause.message}`, { cause });
      });
    }
  }
}

async function processesIn(folder: string): Promise<readonly (RunProcess & { readonly file: string })[]> {
  const names = await readdir(folder, { recursive: true }).catch(() => []);
  return names.flatMap((name) => {
    const [, run, launch] = /[/\\](\d+)[/\\]driver-(\d+)\.log$/.exec(name) ?? [];
    return run === undefined ? [] : [{ run: Number(run), launch: Number(launch), file: join(folder, name) }];
  });
}

function nameOf({ run, launch }: RunProcess): string {
  return `${run} ${launch}`;
}
