/** Uploads the logs of a run's attempts, which are written to files: an object can't be appended to. */
import { statSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import type { ObjectStore } from "@orcajs/objectstore";
import { textOfDuration } from "../core/duration.ts";
import { putAgain, putFirst, removeStaged, type StagedLog } from "./log-object.ts";
import { keyOfFile, type LogPlace, rootOf } from "./log-place.ts";
import { logsIn, removeEmpty, takeLeft } from "./staged-files.ts";

/** How many logs are uploaded at once. */
const AT_ONCE = 8;
/** What takes longer than this has failed. */
const UPLOAD_MS_MAX = 60_000;

export interface LogUploadsOptions {
  /** The folder of the run's logs, in that of the place. */
  readonly folder: string;
  /** How often logs that are still written are uploaded; 0 for never. */
  readonly flushMs: number;
  /** At the end of the run: how long it is waited while no upload succeeds, and how long in all. */
  readonly patienceMs: number;
  readonly patienceMsMax: number;
  /** Takes a sentence when an upload fails, the first time, and at the end when logs couldn't be uploaded. */
  readonly warn: (sentence: string) => void;
}

interface Upload extends StagedLog {
  /** How many bytes of it are in the bucket; none before the first upload. */
  uploaded: number | undefined;
  /** Whether it is whole. */
  isEnded: boolean;
  state: "idle" | "queued" | "going on" | "going on, and again";
}

/**
 * Uploads each log when its attempt has ended, and meanwhile from time to time, until it is disposed; what is uploaded whole is removed from the
 * stage. What earlier processes of the run have left there is uploaded too. While the bucket can't be reached logs stay in the stage, and are tried again at the next
 * time: nothing waits for them but the end of the run, for a while.
 */
export class LogUploads implements AsyncDisposable {
  readonly #bucket: string;
  readonly #stage: string;
  readonly #options: LogUploadsOptions;
  readonly #uploads = new Map<string, Upload>();
  readonly #left: readonly string[];
  readonly #aborted = new AbortController();
  readonly #timer: NodeJS.Timeout | undefined;
  readonly #queue = new Set<Upload>();
  #store: Promise<ObjectStore> | undefined;
  #going = 0;
  /** Whether the last upload failed: the others wait for the next time. */
  #isHeld = false;
  #hasWarned = false;
  #succeededAt = 0;
  #idle: () => void = () => {};

  /** @param place one with a bucket. */
  constructor({ folder: stage, bucket }: LogPlace & { readonly bucket: string }, options: LogUploadsOptions) {
    this.#bucket = bucket;
    this.#stage = stage;
    this.#options = options;
    this.#left = takeLeft(options.folder);
    for (const folder of this.#left) for (const file of logsIn(folder)) this.#end(file, folder);
    if (options.flushMs > 0) this.#timer = setInterval(() => this.#flush(), options.flushMs).unref();
  }

  /** Uploads a log that nothing is written to any more. */
  ended(file: string): void {
    this.#end(file);
  }

  /** Uploads what is left, as far as that succeeds. May be called twice. */
  async [Symbol.asyncDispose](): Promise<void> {
    clearInterval(this.#timer);
    this.#isHeld = false;
    for (const file of [...this.#uploads.keys(), ...logsIn(this.#options.folder)]) this.#end(file);
    await this.#settled();
    this.#aborted.abort();
    const left = this.#uploads.size;
    for (const folder of [this.#options.folder, ...this.#left]) removeEmpty(folder);
    if (left > 0 && !this.#isOver)
      this.#options.warn(
        `${left === 1 ? "a log isn't" : `${left} logs aren't`} in ${rootOf(this.#bucket)}: what is missing there is in ${this.#options.folder}, and the next process of the run on this machine uploads it`,
      );
    this.#isOver = true;
    await (await this.#store?.catch(() => undefined))?.[Symbol.asyncDispose]();
  }
  #isOver = false;

  /** @param folder what stands for the run's folder. */
  #end(file: string, folder?: string): void {
    this.#uploadOf(file, folder).isEnded = true;
    this.#enqueue(this.#uploadOf(file));
  }

  #uploadOf(file: string, folder = this.#options.folder): Upload {
    const before = this.#uploads.get(file);
    if (before !== undefined) return before;
    const run = keyOfFile(this.#stage, this.#options.folder);
    const key = `${run}/${keyOfFile(folder, file)}`;
    const upload: Upload = { file, key, uploaded: undefined, isEnded: false, state: "idle" };
    this.#uploads.set(file, upload);
    return upload;
  }

  #flush(): void {
    this.#isHeld = false;
    for (const file of logsIn(this.#options.folder)) {
      const upload = this.#uploadOf(file);
      if (upload.isEnded || sizeOf(file) !== upload.uploaded) this.#enqueue(upload);
    }
    this.#pump();
  }

  #enqueue(upload: Upload): void {
    if (upload.state === "going on") upload.state = "going on, and again";
    else if (upload.state === "idle") {
      upload.state = "queued";
      this.#queue.add(upload);
      this.#pump();
    }
  }

  #pump(): void {
    for (const upload of this.#queue) {
      if (this.#going === AT_ONCE || this.#isHeld) break;
      this.#queue.delete(upload);
      this.#going++;
      void this.#work(upload);
    }
    if (this.#going === 0) this.#idle();
  }

  /** Doesn't throw. */
  async #work(upload: Upload): Promise<void> {
    upload.state = "going on";
    try {
      await this.#upload(upload);
      this.#succeededAt = performance.now();
      const isAgain = (upload.state as Upload["state"]) === "going on, and again";
      upload.state = "idle";
      if (isAgain) this.#enqueue(upload);
    } catch (error) {
      upload.state = "queued";
      this.#queue.add(upload);
      this.#isHeld = true;
      this.#warnOf(error as Error);
    }
    this.#going--;
    this.#pump();
  }

  async #upload(upload: Upload): Promise<void> {
    const { file, isEnded, uploaded } = upload;
    const bytes = sizeOf(file);
    if (bytes !== undefined && bytes !== uploaded) {
      const signal = AbortSignal.any([this.#aborted.signal, AbortSignal.timeout(UPLOAD_MS_MAX)]);
      const store = await (this.#store ??= opened(this.#bucket));
      await (uploaded === undefined ? putFirst : putAgain)(store, upload, bytes, signal);
      upload.uploaded = bytes;
    }
    if (!isEnded) return;
    await removeStaged(upload);
    this.#uploads.delete(file);
  }

  /** Settles when all is uploaded, or isn't going to be. */
  async #settled(): Promise<void> {
    const { patienceMs, patienceMsMax } = this.#options;
    const startedAt = performance.now();
    this.#succeededAt = startedAt;
    const idle = new Promise<void>((resolve) => (this.#idle = resolve));
    this.#pump();
    for (;;) {
      const now = performance.now();
      const leftMs = Math.min(this.#succeededAt + patienceMs, startedAt + patienceMsMax) - now;
      if (leftMs <= 0) return;
      const stop = new AbortController();
      const waited = sleep(leftMs, "waited", { signal: stop.signal }).catch(() => "waited");
      const first = await Promise.race([idle, waited]);
      stop.abort();
      if (first !== "waited") return;
    }
  }

  #warnOf(error: Error): void {
    if (this.#hasWarned || this.#aborted.signal.aborted) return;
    this.#hasWarned = true;
    const { flushMs, folder, warn } = this.#options;
    const again = flushMs > 0 ? `every ${textOfDuration(flushMs)}` : "at the end of the run";
    warn(
      `logs can't be uploaded to ${rootOf(this.#bucket)}, so that they stay in ${folder} and are tried again ${again}: ${error.message}`,
    );
  }
}

/** What takes a bucket is large, and loaded only by runs that have one. */
async function opened(bucket: string): Promise<ObjectStore> {
  const { openObjectStore } = await import("@orcajs/objectstore");
  return openObjectStore(bucket);
}

function sizeOf(file: string): number | undefined {
  return statSync(file, { throwIfNoEntry: false })?.size;
}
