/** Runs a seed: a run that is disturbed as its plan says, and resumed until it has succeeded. */
import { existsSync, readFileSync, rmSync } from "node:fs";
import path from "node:path";
import { callOrca } from "../e2e/programs.ts";
import type { ChaosDatabase } from "./database.ts";
import { Disturber } from "./disturber.ts";
import { brokenAtEnds, brokenAtSuccess, toldIn, type OutputRow } from "./invariants.ts";
import type { LogDisk } from "./log-disk.ts";
import type { Plan } from "./plan.ts";
import { MARK, markedPids, Program, signalAll } from "./processes.ts";
import { Proxy } from "./proxy.ts";
import { faultsOf, lastLine } from "./sayings.ts";
import { Schedule } from "./schedule.ts";

const ROUNDS_MAX = 80;
const SEED_MS_MAX = 40_000;
const STALE_SECONDS = "1";

/** Where a seed's things are. */
export interface Place {
  /** The pipeline's program. */
  readonly program: string;
  /** Of the Postgres server. */
  readonly server: string;
  /** Of files, logs and the runs' outputs that are compared. */
  readonly folder: string;
}

export class Seed {
  readonly plan: Plan;
  readonly database: ChaosDatabase;
  readonly logs: LogDisk;
  readonly story: string[] = [];
  readonly broken: string[] = [];
  readonly programs: Program[] = [];
  /** Whether programs reach the server. */
  isReachable = true;
  readonly #place: Place;
  readonly #seed: number;
  readonly #disturber = new Disturber(this);
  readonly #schedule: Schedule;
  readonly #startedAt = performance.now();
  readonly #mark: string;
  readonly #told: string;
  #isOver = false;

  constructor(seed: number, plan: Plan, place: Place, database: ChaosDatabase, logs: LogDisk) {
    this.#seed = seed;
    this.plan = plan;
    this.#place = place;
    this.database = database;
    this.logs = logs;
    this.#mark = `${process.pid}-${database.name}`;
    this.#told = path.join(place.folder, `${database.name}.told`);
    this.#schedule = new Schedule(plan.events, (event, program, link) => this.#disturber.act(event, program, link));
  }

  tell(line: string): void {
    this.story.push(`${(performance.now() - this.#startedAt).toFixed(0).padStart(6)} ms  ${line}`);
  }

  /** The run's number and owner, once there is one. */
  async run(): Promise<{ readonly id: number; readonly status: string; readonly owner: string | null } | undefined> {
    const [made] = await this.database.sql<{ made: boolean }>(
      "select to_regclass('orca.heartbeats') is not null as made",
    );
    if (!made!.made) return undefined;
    return (
      await this.database.sql<{ id: number; status: string; owner: string | null }>(
        "select id::int, status, owner from orca.runs order by id",
      )
    )[0];
  }

  async start(...words: readonly string[]): Promise<Program> {
    const proxy: Proxy = await Proxy.open({
      socketPath: this.database.socketPath,
      isReachable: () => this.isReachable,
      gate: (request, side, link) => this.#schedule.met(program, request, side, link),
    });
    const program: Program = new Program(
      this.#place.program,
      [...words, "--concurrency", String(this.plan.concurrency)],
      proxy,
      this.#env(`postgres://orca@127.0.0.1:${proxy.port}/${this.database.name}`),
    );
    this.programs.push(program);
    this.tell(`started ${words.join(" ")}`);
    this.#schedule.begun(program);
    void program.ended.then((end) => {
      this.tell(`${words[0]} ended with ${end.code ?? end.signal}${lastLine(end)}`);
      if (!program.isKilled && !this.#isOver) this.broken.push(...faultsOf(end));
      return proxy[Symbol.asyncDispose]();
    });
    return program;
  }

  async cancel(id: number): Promise<void> {
    const { code, stdout, stderr } = await callOrca(["cancel", String(id)], { env: this.#env(this.database.url) });
    this.tell(`cancel ended with ${code}: ${stdout}${stderr}`.trim());
  }

  /** Runs it to its success, and says what is broken. */
  async toSuccess(expected: readonly OutputRow[]): Promise<void> {
    using _ = this.#schedule;
    const keys = keysOf(this.plan.partitions);
    for (let round = 0; ; round++) {
      const run = await this.run();
      if (run?.status === "succeeded") break;
      if (round === ROUNDS_MAX) throw new Error(`the run is ${run?.status} after ${ROUNDS_MAX} rounds`);
      const words = run === undefined ? ["run", "--partitions", keys] : ["resume", String(run.id)];
      await Promise.all(
        Array.from({ length: run === undefined ? 1 : this.plan.resumes(round) }, () => this.start(...words)),
      );
      await this.#allEnded();
      if ((await this.run()) !== undefined) this.broken.push(...(await brokenAtEnds(this.database)));
    }
    const told = existsSync(this.#told) ? toldIn(readFileSync(this.#told, "utf8")) : [];
    const hasLogs = !this.plan.events.some((e) => e.disturbance.kind === "disk-full");
    this.broken.push(...(await brokenAtSuccess(this.database, expected, told, hasLogs)));
  }

  get happened(): number {
    return this.#schedule.happened;
  }

  /** Ends what is left of it. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#isOver = true;
    const left = markedPids(this.#mark);
    if (left.length > 0) this.broken.push(`processes are left: ${left.join(", ")}`);
    signalAll(left, "SIGKILL");
    await Promise.all(this.programs.map((p) => p.ended));
    rmSync(this.#told, { force: true });
  }

  /** Others may be started meanwhile. */
  async #allEnded(): Promise<void> {
    const { promise: late, reject } = Promise.withResolvers<never>();
    const timer = setTimeout(
      () => reject(new Error(`it isn't over after ${SEED_MS_MAX} ms`)),
      SEED_MS_MAX - (performance.now() - this.#startedAt),
    );
    const goingOn = async () => {
      while (this.programs.some((p) => p.end === undefined)) {
        await Promise.all(this.programs.map((p) => p.ended));
        await this.#disturber.over();
      }
    };
    await Promise.race([goingOn(), late]);
    clearTimeout(timer);
  }

  #env(url: string): Readonly<Record<string, string>> {
    const isQuiet = this.plan.events.length === 0;
    return {
      ORCA_DATABASE_URL: url,
      ORCA_STALE_SECONDS: STALE_SECONDS,
      ORCA_DATABASE_PATIENCE_SECONDS: String(this.plan.patienceSeconds),
      ORCA_GRACE_SECONDS: "0.2",
      ORCA_LOGS: this.logs.folder,
      CHAOS_FILE: this.#told,
      [MARK]: this.#mark,
      ...(isQuiet ? {} : { CHAOS_TROUBLE: String(this.#seed) }),
    };
  }
}

function keysOf(partitions: number): string {
  return Array.from({ length: partitions }, (_, i) => `k${String(i).padStart(2, "0")}`).join(",");
}
