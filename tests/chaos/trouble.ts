/** What steps of the suite's pipelines do besides their work: they tell a file when their functions start and end, and meet trouble as a seed says. */
import { createHash } from "node:crypto";
import { appendFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";

interface Attempt {
  readonly attempt: number;
  readonly log: (line: string) => void;
}

/** Does a step's work between two lines in `CHAOS_FILE`: those are written before the next line of code runs, and outlive a kill. */
export async function told<T>(ctx: Attempt, step: string, partition: string, work: () => T | Promise<T>): Promise<T> {
  const tell = (what: string) =>
    appendFileSync(process.env["CHAOS_FILE"]!, `${Date.now()} ${what} ${step} ${partition} ${ctx.attempt}\n`);
  tell("start");
  ctx.log(`working on ${step} ${partition}`);
  await meetTrouble(`${step} ${partition}`, ctx.attempt);
  const result = await work();
  tell("end");
  return result;
}

/** Takes a while, and may fail, kill its process or block it: the same at every run of a seed (`CHAOS_TROUBLE`), and not for ever. @param times how many times oftener it fails. */
export async function meetTrouble(place: string, attempt: number, times = 1): Promise<void> {
  const seed = process.env["CHAOS_TROUBLE"];
  if (seed === undefined) return;
  const [first, second] = createHash("sha256").update(`${seed} ${place} ${attempt}`).digest();
  await sleep(second! / 16);
  if (attempt > 2) return;
  if (first === 6) process.kill(process.pid, "SIGKILL");
  if (first === 7) process.exit(0);
  if (first === 8 && place.startsWith("right")) for (;;);
  if (first! < 6 || (first! > 8 && first! < 6 * times)) throw new Error(`trouble with ${place}`);
}
