/** Does what a plan says to a seed's programs, database and logs. */
import { setTimeout as sleep } from "node:timers/promises";
import type { Held } from "./held.ts";
import type { Seed } from "./seed.ts";
import type { Disturbance, Event } from "./plan.ts";
import { type Program, signalAll } from "./processes.ts";

/** Longer than the stale limit, and than claiming a run takes. */
const CLAIM_MS_MAX = 4_000;
const LOOK_MS = 20;

type Of<Kind extends Disturbance["kind"]> = Extract<Disturbance, { readonly kind: Kind }>;

export class Disturber {
  readonly #seed: Seed;
  /** What goes on while the programs do. */
  readonly #going: Promise<void>[] = [];

  constructor(seed: Seed) {
    this.#seed = seed;
  }

  /** Settles when nothing of what was begun goes on. */
  async over(): Promise<void> {
    await Promise.all(this.#going);
  }

  /** @param held the request that is, until this settles. */
  async act({ disturbance, moment }: Event, program: Program, held: Held | undefined): Promise<void> {
    const seed = this.#seed;
    seed.tell(`${JSON.stringify(disturbance)} at ${JSON.stringify(moment)} of ${program.words.join(" ")}`);
    switch (disturbance.kind) {
      case "kill":
        return this.#kill(disturbance, program, held);
      case "cut":
        if (disturbance.isAll || held === undefined) program.proxy.cut();
        else held.cut();
        return;
      case "lock":
        await seed.database.lockRuns(disturbance.ms);
        return held?.lose();
      case "terminate":
        return await seed.database.terminate();
      case "restart":
        return await seed.database.restart(disturbance.signal);
      case "outage":
        return this.#outage(disturbance);
      case "freeze": {
        const frozen = this.#freeze(disturbance, program);
        this.#going.push(frozen);
        return disturbance.isHeld ? await frozen : undefined;
      }
      case "isolate":
        return await this.#isolate(disturbance, program);
      case "disk-full":
        seed.logs.fill();
        setTimeout(() => seed.logs.free(), disturbance.ms);
        return;
      case "cancel":
        this.#going.push(this.#cancel(disturbance, program));
        return;
      case "signal":
        program.isKilled = true; // before it listens for signals, it is ended by them
        return program.signal("outer", disturbance.signal);
      case "store":
        seed.storeFaults = disturbance;
        return;
      case "slow":
        seed.slowness = disturbance;
        return;
      case "others":
        return await seed.lake!.change();
      default:
        return disturbance satisfies never;
    }
  }

  #kill({ target, isDropped }: Omit<Of<"kill">, "kind">, program: Program, held: Held | undefined): void {
    if (target !== "inner") program.isKilled = true;
    program.signal(target, "SIGKILL");
    if (isDropped) held?.cut();
  }

  async #cancel({ isGone }: Of<"cancel">, program: Program): Promise<void> {
    const seed = this.#seed;
    if (isGone) this.#kill({ target: "both", isDropped: false }, program, undefined);
    const run = await seed.run();
    if (run === undefined) return;
    if (isGone) await this.#untilStale(run.id);
    await seed.cancel(run.id);
  }

  #outage({ ms }: Of<"outage">): void {
    this.#seed.isReachable = false;
    for (const { proxy } of this.#seed.programs) proxy.cut();
    setTimeout(() => (this.#seed.isReachable = true), ms);
  }

  /** Stops it until another process has taken the run over, or can't; or, if it is long, until those have ended. */
  async #freeze({ target, rivals, isLong }: Of<"freeze">, program: Program): Promise<void> {
    const pids = program.pids(target);
    signalAll(pids, "SIGSTOP");
    if (target === "inner") await this.#seed.run();
    else await this.#takeOver(rivals, isLong);
    this.#seed.tell("continued");
    signalAll(pids, "SIGCONT");
  }

  async #isolate({ rivals, isLong, ms }: Of<"isolate">, program: Program): Promise<void> {
    program.isIsolated = true;
    program.proxy.cut();
    await this.#takeOver(rivals, isLong);
    setTimeout(() => (program.isIsolated = false), ms);
  }

  /** Has other processes take the run over, if there is one and they can; if it is long, until those have ended. */
  async #takeOver(rivals: number, isLong: boolean): Promise<void> {
    const seed = this.#seed;
    const run = await seed.run();
    if (run === undefined) return;
    await this.#untilStale(run.id);
    const started = await Promise.all(Array.from({ length: rivals }, () => seed.start("resume", String(run.id))));
    const isTaken = async () => (await seed.run())?.owner !== run.owner || started.every((p) => p.end !== undefined);
    const until = performance.now() + CLAIM_MS_MAX;
    while (performance.now() < until && !(await isTaken())) await sleep(LOOK_MS);
    if (isLong) await Promise.all(started.map((rival) => rival.ended));
  }

  /** Others may have it by then, so that it never is. */
  async #untilStale(run: number): Promise<void> {
    const until = performance.now() + CLAIM_MS_MAX;
    while (performance.now() < until) {
      const [row] = await this.#seed.database.sql<{ stale: boolean }>(
        "select clock_timestamp() - at > interval '1 second' as stale from orca.heartbeats where run = $1",
        [run],
      );
      if (row?.stale === true) return;
      await sleep(LOOK_MS);
    }
  }
}
