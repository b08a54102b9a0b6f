/** Does to schedulers what people and machines do. */
import { queueBackfill } from "../../../packages/orca/dist/state/backfills.js";
import { askToCancel } from "../../../packages/orca/dist/state/cancel.js";
import type { Database } from "../../../packages/orca/dist/state/database.js";
import { beginRebuild } from "../../../packages/orca/dist/state/rebuilds.js";
import { pausePipeline, registerPipeline } from "../../../packages/orca/dist/state/registration.js";
import type { ChaosDatabase } from "../database.ts";
import type { Random } from "../random.ts";
import type { Clock } from "./clock.ts";
import type { Processes } from "./processes.ts";
import type { Subject } from "./subject.ts";

/** Some more often than others. */
const KINDS = [
  "kill",
  "kill",
  "kill run",
  "kill run",
  "restart",
  "backfill",
  "backfill",
  "rebuild",
  "cancel",
  "pause",
  "register",
  "others",
  "nothing",
] as const;
const ACTOR = "chaos";
const REBUILT_DAY = "2024-01-01";

interface Disturbed {
  readonly random: Random;
  readonly chaos: ChaosDatabase;
  readonly database: Database;
  readonly clock: Clock;
  readonly processes: Processes;
  readonly subject: Subject;
  readonly staleMs: number;
}

export class Disturber {
  readonly #of: Disturbed;
  #code = 1;

  constructor(of: Disturbed) {
    this.#of = of;
  }

  /** Does one thing. @param schedulers how many there are. @returns what it was, in words. */
  async disturb(schedulers: number): Promise<string> {
    const { random, chaos, database, processes, subject } = this.#of;
    const kind = random.pick(KINDS);
    switch (kind) {
      case "kill":
        processes.replaceScheduler(random.below(schedulers));
        return kind;
      case "kill run":
        return `${kind} ${processes.killRun(random)}`;
      case "restart":
        await chaos.restart(random.pick(["SIGINT", "SIGQUIT", "SIGKILL"]));
        return kind;
      case "backfill": {
        const [pipeline, keys] = random.pick(subject.backfills);
        await Promise.all([this.#backfill(pipeline, keys), this.#backfill(pipeline, keys)]);
        return `${kind} ${pipeline}`;
      }
      case "rebuild": {
        const dataset = random.pick(subject.rebuilt);
        await beginRebuild(database, { dataset, keys: [REBUILT_DAY], actor: ACTOR });
        return `${kind} ${dataset}`;
      }
      case "cancel":
        return `${kind} ${await this.#cancel()}`;
      case "pause": {
        const { pipeline } = random.pick(subject.programs(1)).description;
        const isPaused = random.chance(1, 2);
        await pausePipeline(database, pipeline, isPaused, ACTOR);
        return `${isPaused ? "pause" : "unpause"} ${pipeline}`;
      }
      case "register":
        this.#code++;
        await this.register();
        return kind;
      case "others":
        await subject.others();
        return kind;
      case "nothing":
        return kind;
      default:
        return kind satisfies never;
    }
  }

  /** Registers the pipelines, with other code each time. */
  async register(): Promise<void> {
    const { database, clock, subject } = this.#of;
    for (const { description, program } of subject.programs(this.#code))
      await registerPipeline(database, {
        description,
        program,
        seen: [],
        notifyUrl: undefined,
        now: clock.now,
        actor: ACTOR,
      });
  }

  async unpause(): Promise<void> {
    const { database, subject } = this.#of;
    for (const { description } of subject.programs(1))
      await pausePipeline(database, description.pipeline, false, ACTOR);
  }

  async #backfill(pipeline: string, keys: readonly string[]): Promise<void> {
    const backfill = { pipeline, asked: ACTOR, keys, maxRuns: undefined, actor: ACTOR };
    await queueBackfill(this.#of.database, { ...backfill, isRerun: false, isReversed: false, isDry: false });
  }

  async #cancel(): Promise<string> {
    const { random, chaos, database, subject, staleMs } = this.#of;
    const rows = await chaos.sql<{ id: number }>(
      "select id::int from orca.runs where status in ('queued', 'running') and pipeline = any ($1) order by id",
      [subject.cancelled],
    );
    if (rows.length === 0) return "none";
    const { id } = random.pick(rows);
    await askToCancel(database, id, staleMs, ACTOR);
    return String(id);
  }
}
