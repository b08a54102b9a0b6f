/** A folder for logs whose disk can be full: a small one of its own where root may mount it, else a folder that can't be written. */
import { spawnSync } from "node:child_process";
import { chmodSync, closeSync, mkdirSync, openSync, rmSync, writeSync } from "node:fs";
import path from "node:path";

const SIZE_KIB = 1_024;

export class LogDisk implements Disposable {
  readonly folder: string;
  readonly #isMounted: boolean;

  /** @param isSmall whether it will be full. */
  constructor(folder: string, isSmall: boolean) {
    this.folder = folder;
    mkdirSync(folder, { recursive: true });
    this.#isMounted = isSmall && isRun("mount", "-t", "tmpfs", "-o", `size=${SIZE_KIB}k`, "tmpfs", folder);
  }

  fill(): void {
    if (!this.#isMounted) return chmodSync(this.folder, 0o500);
    const file = openSync(this.#ballast, "w");
    try {
      for (;;) writeSync(file, Buffer.alloc(1_024));
    } catch {
      closeSync(file); // it is full
    }
  }

  free(): void {
    if (this.#isMounted) rmSync(this.#ballast, { force: true });
    else chmodSync(this.folder, 0o700);
  }

  [Symbol.dispose](): void {
    if (this.#isMounted) isRun("umount", "--lazy", this.folder);
  }

  get #ballast(): string {
    return path.join(this.folder, "ballast");
  }
}

function isRun(command: string, ...words: readonly string[]): boolean {
  return spawnSync(command, words, { stdio: "ignore" }).status === 0;
}
