/** One seed: schedulers over simulated days, disturbed, and then let come to rest. */
import { type ChildProcess, spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { queueBackfill } from "../../../packages/orca/dist/state/backfills.js";
import { askToCancel } from "../../../packages/orca/dist/state/cancel.js";
import { Database } from "../../../packages/orca/dist/state/database.js";
import { migrate } from "../../../packages/orca/dist/state/migrate.js";
import { beginRebuild } from "../../../packages/orca/dist/state/rebuilds.js";
import { pausePipeline, registerPipeline } from "../../../packages/orca/dist/state/registration.js";
import { ChaosDatabase } from "../database.ts";
import { Random } from "../random.ts";
import { brokenIn } from "./invariants.ts";
import { pipelines, STARTS_AT } from "./pipelines.ts";

const STALE_MS = 3_000;
const SCHEDULERS = 3;
const STEPS = 24;
/** How long schedulers may take to come to rest. */
const REST_MS = 120_000;

export interface SeedResult {
  readonly broken: readonly string[];
  readonly story: readonly string[];
}

/** @param server the folder of a Postgres. @param folder for what the seed writes. */
export async function runSeed(seed: number, server: string, folder: string): Promise<SeedResult> {
  mkdirSync(folder, { recursive: true });
  await using chaos = await ChaosDatabase.create(server, `schedulers_${seed}`);
  await using database = new Database(chaos.url, { patienceMs: 20_000, warn: () => {} });
  await migrate(database);
  const run = new Disturbed(seed, chaos, database, folder);
  try {
    await run.all();
  } catch (error) {
    run.broken.push((error as Error).stack ?? String(error));
  } finally {
    await run.end();
    rmSync(folder, { recursive: true, force: true, maxRetries: 10 });
  }
  return { broken: run.broken, story: run.story };
}

class Disturbed {
  readonly broken: string[] = [];
  readonly story: string[] = [];
  readonly #random: Random;
  readonly #chaos: ChaosDatabase;
  readonly #database: Database;
  readonly #folder: string;
  readonly #schedulers: ChildProcess[] = [];
  #now = STARTS_AT.getTime();
  #latest = this.#now;
  #code = 1;
  #isOver = false;

  constructor(seed: number, chaos: ChaosDatabase, database: Database, folder: string) {
    this.#random = new Random(`schedulers ${seed}`);
    this.#chaos = chaos;
    this.#database = database;
    this.#folder = folder;
  }

  async all(): Promise<void> {
    this.#setClock(this.#now);
    await this.#register();
    for (let i = 0; i < SCHEDULERS; i++) this.#start(i);
    const watching = this.#watch();
    for (let step = 0; step < STEPS; step++) {
      const isBack = this.#random.chance(1, 10);
      this.#setClock(this.#now + (isBack ? -1 : 1) * this.#random.between(10, isBack ? 60 : 300) * 60_000);
      await this.#disturb();
      await sleep(this.#random.between(50, 500));
    }
    await this.#comeToRest();
    this.#isOver = true;
    await watching;
    this.broken.push(...(await brokenIn(this.#chaos, new Date(this.#latest))));
  }

  async #disturb(): Promise<void> {
    const random = this.#random;
    const kind = random.pick([
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
      "nothing",
    ]);
    this.story.push(`${new Date(this.#now).toISOString()} ${kind}`);
    switch (kind) {
      case "kill": {
        const which = random.below(SCHEDULERS);
        this.#schedulers[which]!.kill("SIGKILL");
        return this.#start(which);
      }
      case "kill run": {
        const pids = readdirSync(this.#folder).filter((name) => name.endsWith(".pid"));
        if (pids.length > 0) kill(Number.parseInt(random.pick(pids)));
        return;
      }
      case "restart":
        return await this.#chaos.restart(random.pick(["SIGINT", "SIGQUIT", "SIGKILL"]));
      case "backfill": {
        const [pipeline, keys] = random.pick([
          ["slow", DAYS],
          ["labels", KEYS],
          ["clean", DAYS],
        ]);
        await Promise.all([this.#backfill(pipeline, keys), this.#backfill(pipeline, keys)]);
        return;
      }
      case "rebuild":
        await beginRebuild(this.#database, {
          dataset: random.pick(["l.hourly", "l.often", "l.months"]),
          keys: ["2024-01-01"],
          actor: "chaos",
        });
        return;
      case "cancel": {
        const rows = await this.#chaos.sql<{ id: number }>(
          "select id::int from orca.runs where status in ('queued', 'running') order by id",
        );
        if (rows.length > 0) await askToCancel(this.#database, random.pick(rows).id, STALE_MS, "chaos");
        return;
      }
      case "pause": {
        const { pipeline } = random.pick(pipelines(0));
        await pausePipeline(this.#database, pipeline, random.chance(1, 2), "chaos");
        return;
      }
      case "register":
        this.#code++;
        return await this.#register();
      case "nothing":
        return;
      default:
        return kind satisfies never;
    }
  }

  async #backfill(pipeline: string, keys: readonly string[]): Promise<void> {
    const backfill = {
      pipeline,
      asked: "chaos",
      keys,
      isRerun: false,
      isReversed: false,
      maxRuns: undefined,
      actor: "chaos",
      isDry: false,
    };
    await queueBackfill(this.#database, backfill);
  }

  async #register(): Promise<void> {
    const program = path.join(import.meta.dirname, "run.ts");
    // what backfills run twice with another code isn't told apart: their pipelines keep theirs
    for (const description of pipelines(this.#code).map((d) =>
      BACKFILLED.has(d.pipeline) ? pipelines(1).find((one) => one.pipeline === d.pipeline)! : d,
    ))
      await registerPipeline(this.#database, {
        description,
        program,
        seen: [],
        notifyUrl: undefined,
        now: new Date(this.#now),
        actor: "chaos",
      });
  }

  /** Lets all go on until nothing is due, queued or going on. */
  async #comeToRest(): Promise<void> {
    for (const { pipeline } of pipelines(0)) await pausePipeline(this.#database, pipeline, false, "chaos");
    for (const until = performance.now() + REST_MS; performance.now() < until;) {
      this.#setClock(this.#latest + 3_600_000); // retries wait for the clock
      for (let quiet = 0; quiet < 10; quiet++) {
        await sleep(200);
        const [left] = await this.#chaos.sql(LEFT, [new Date(this.#now)]);
        if (left === undefined) return;
      }
    }
    this.broken.push(
      `schedulers didn't come to rest: ${JSON.stringify(await this.#chaos.sql("select pipeline, status, count(*) from orca.runs group by 1, 2"))}`,
    );
  }

  /** Looks all the time that no pipeline has more live runs than it may. */
  async #watch(): Promise<void> {
    while (!this.#isOver) {
      const rows = await this.#chaos.sql(OVER, [STALE_MS / 1_000]);
      if (rows.length > 0) this.broken.push(`more runs were going on than may: ${JSON.stringify(rows)}`);
      await sleep(20);
    }
  }

  #start(which: number): void {
    const env = {
      ...process.env,
      ORCA_DATABASE_URL: this.#chaos.url,
      CHAOS_STALE_MS: String(STALE_MS),
      CHAOS_CLOCK: this.#clock,
      CHAOS_FOLDER: this.#folder,
    };
    const child = spawn(process.execPath, [path.join(import.meta.dirname, "scheduler.ts")], {
      env,
      stdio: ["ignore", "pipe", "pipe"],
    });
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding("utf8").on("data", (text: string) => this.story.push(text.trim()));
    this.#schedulers[which] = child;
  }

  get #clock(): string {
    return path.join(this.#folder, "clock");
  }

  #setClock(now: number): void {
    this.#now = now;
    this.#latest = Math.max(this.#latest, now);
    const next = `${this.#clock}.${randomUUID()}`;
    writeFileSync(next, String(now));
    renameSync(next, this.#clock);
  }

  async end(): Promise<void> {
    this.#isOver = true;
    for (const scheduler of this.#schedulers) {
      if (scheduler.exitCode !== null || scheduler.signalCode !== null) continue;
      const ended = new Promise((resolve) => scheduler.once("exit", resolve));
      scheduler.kill("SIGKILL");
      await ended;
    }
    for (const name of readdirSync(this.#folder)) if (name.endsWith(".pid")) kill(Number.parseInt(name));
  }
}

const DAYS = Array.from({ length: 8 }, (_, i) => `2024-01-0${i + 1}`);
const KEYS = Array.from({ length: 20 }, (_, i) => `key-${i}`);
const BACKFILLED = new Set(["slow", "labels"]);

const LEFT = `
  select from orca.runs where status in ('queued', 'running') or (ended_at is not null and settled_at is null)
  union all select from orca.pipelines where next_fire_at <= $1 limit 1`;
const OVER = `
  select p.name, p.max_runs, count(*)::int as live from orca.runs r join orca.pipelines p on p.name = r.pipeline
  join orca.heartbeats h on h.run = r.id
  where r.status = 'running' and r.owner is not null and h.at > clock_timestamp() - make_interval(secs => $1)
  group by 1, 2 having count(*) > p.max_runs`;

/** Ends a run's process, if the number is still that of one. */
function kill(pid: number): void {
  try {
    if (readFileSync(`/proc/${pid}/cmdline`, "utf8").includes("schedulers/run.ts")) process.kill(pid, "SIGKILL");
  } catch {
    // it has ended
  }
}
