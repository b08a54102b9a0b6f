/** The schedulers' clock, in a file. */
import { randomUUID } from "node:crypto";
import { renameSync, writeFileSync } from "node:fs";

export class Clock {
  readonly file: string;
  #now: number;
  #latest: number;

  constructor(file: string, startsAt: Date) {
    this.file = file;
    this.#now = this.#latest = startsAt.getTime();
    this.#write();
  }

  get now(): Date {
    return new Date(this.#now);
  }

  /** The furthest that it ever was. */
  get latest(): Date {
    return new Date(this.#latest);
  }

  moveTo(now: Date): void {
    this.#now = now.getTime();
    this.#latest = Math.max(this.#latest, this.#now);
    this.#write();
  }

  /** @param minutes below 0 for back. */
  moveBy(minutes: number): void {
    this.moveTo(new Date(this.#now + minutes * 60_000));
  }

  /** Whole at all times, for those who read it meanwhile. */
  #write(): void {
    const next = `${this.file}.${randomUUID()}`;
    writeFileSync(next, String(this.#now));
    renameSync(next, this.file);
  }
}
