/** Runs a seed: a run that is disturbed as its plan says, and resumed until it has succeeded. */
import { existsSync, readFileSync, rmSync } from "node:fs";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { callOrca } from "../e2e/programs.ts";
import type { ChaosDatabase } from "./database.ts";
import { Disturber } from "./disturber.ts";
import type { Side } from "./held.ts";
import { brokenAtEnds, brokenAtSuccess, toldIn, type OutputRow, type Success } from "./invariants.ts";
import type { Lake } from "./lake/lake.ts";
import type { StoreFault } from "./lake/store.ts";
import type { LogDisk } from "./log-disk.ts";
import type { Plan } from "./plan.ts";
import { MARK, markedPids, Program, signalAll } from "./processes.ts";
import { Proxy } from "./proxy.ts";
import { faultsOf, lastLine } from "./sayings.ts";
import { Schedule } from "./schedule.ts";

const ROUNDS_MAX = 80;
/** What takes longer hangs: a machine at work may take 10 s to start a program. */
export const SEED_MS_MAX = 120_000;
const STALE_SECONDS = "1";

/** A pipeline whose runs are disturbed. */
export interface Subject {
  readonly program: string;
  /** So many partitions, as `--partitions` takes them. */
  readonly keysOf: (partitions: number) => string;
  /** How many outputs a run of so many has. */
  readonly outputsOf: (partitions: number) => number;
  readonly follows: Success["follows"];
  /** Makes the tables of a seed, if the pipeline has some. */
  readonly lake?: (name: string) => Promise<Lake>;
}

/** Where a seed's things are. */
export interface Place {
  /** Of the Postgres server. */
  readonly server: string;
  /** Of files, logs and the runs' outputs that are compared. */
  readonly folder: string;
}

export interface SeedOptions {
  readonly seed: number;
  readonly plan: Plan;
  readonly subject: Subject;
  readonly place: Place;
  readonly database: ChaosDatabase;
  readonly logs: LogDisk;
  readonly lake: Lake | undefined;
}

export class Seed {
  readonly plan: Plan;
  readonly database: ChaosDatabase;
  readonly logs: LogDisk;
  readonly lake: Lake | undefined;
  readonly story: string[] = [];
  readonly broken: string[] = [];
  readonly programs: Program[] = [];
  /** Whether programs reach the server. */
  isReachable = true;
  /** What the next requests to the store meet. */
  storeFaults: { readonly how: StoreFault; readonly side: Side; readonly times: number } | undefined;
  slowness: { readonly ms: number; readonly times: number } | undefined;
  readonly #subject: Subject;
  readonly #seed: number;
  readonly #disturber = new Disturber(this);
  readonly #schedule: Schedule;
  readonly #startedAt = performance.now();
  readonly #mark: string;
  readonly #told: string;
  #isOver = false;

  constructor({ seed, plan, subject, place, database, logs, lake }: SeedOptions) {
    this.#seed = seed;
    this.plan = plan;
    this.#subject = subject;
    this.database = database;
    this.logs = logs;
    this.lake = lake;
    this.#mark = `${process.pid}-${path.basename(place.server)}-${database.name}`;
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
      isReachable: () => this.isReachable && !program.isIsolated,
      gate: (request, side, link) => this.#schedule.met(program, request, side, link),
    });
    const guard = await this.lake?.guard((request, side) => this.#storeMet(program, request, side));
    const program: Program = new Program(
      this.#subject.program,
      [...words, "--concurrency", String(this.plan.concurrency)],
      proxy,
      { ...this.#env(`postgres://orca@127.0.0.1:${proxy.port}/${this.database.name}`), ...guard?.env },
    );
    this.programs.push(program);
    this.tell(`started ${words.join(" ")}`);
    this.#schedule.begun(program);
    void program.ended.then(async (end) => {
      this.tell(`${words[0]} ended with ${end.code ?? end.signal}${lastLine(end)}`);
      if (!program.isKilled && !this.#isOver) this.broken.push(...faultsOf(end));
      await Promise.all([proxy[Symbol.asyncDispose](), guard?.[Symbol.asyncDispose]()]);
    });
    return program;
  }

  /** Holds a request to the store while what is to happen there happens; it may fail of that. */
  async #storeMet(program: Program, request: string, side: Side): Promise<StoreFault | undefined> {
    let fault: StoreFault | undefined;
    const cut = () => (fault = "reset");
    await this.#schedule.met(program, request, side, { cut, lose: cut });
    const { slowness, storeFaults } = this;
    if (slowness !== undefined && slowness.times > 0) {
      this.slowness = { ...slowness, times: slowness.times - 1 };
      await sleep(slowness.ms);
    }
    if (fault !== undefined || storeFaults === undefined) return fault;
    if (storeFaults.side !== side || storeFaults.times === 0) return undefined;
    this.storeFaults = { ...storeFaults, times: storeFaults.times - 1 };
    return storeFaults.how;
  }

  async cancel(id: number): Promise<void> {
    const { code, stdout, stderr } = await callOrca(["cancel", String(id)], { env: this.#env(this.database.url) });
    this.tell(`cancel ended with ${code}: ${stdout}${stderr}`.trim());
  }

  /** Runs it to its success, and says what is broken. */
  async toSuccess(expected: readonly OutputRow[]): Promise<void> {
    using _ = this.#schedule;
    const keys = this.#subject.keysOf(this.plan.partitions);
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
    const { follows } = this.#subject;
    const told = existsSync(this.#told) ? toldIn(readFileSync(this.#told, "utf8")) : [];
    const hasLogs = !this.plan.events.some((e) => e.disturbance.kind === "disk-full");
    this.broken.push(...(await brokenAtSuccess(this.database, { expected, follows, told, hasLogs })));
    if (this.lake !== undefined) this.broken.push(...(await this.lake.broken(this.database, this.plan.partitions)));
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
