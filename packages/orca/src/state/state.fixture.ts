import { randomUUID } from "node:crypto";
import pg from "pg";
import { testDatabase, type TestDatabase } from "../../../../tests/postgres.ts";
import { Database } from "./database.ts";
import { PostgresJournal } from "./journal.ts";
import { migrate } from "./migrate.ts";
import { readRunBefore } from "./run-before.ts";
import { claimRun, type Claim } from "./claim.ts";
import { beginRun, type OwnedRun } from "./runs.ts";
import type { Version } from "./versions.ts";

export const version: Version = {
  registryHash: "0x1",
  stepHashes: { load: "0xa", report: "0xc", sum: "0xb" },
  repository: "https://example.com/lake",
  commit: "c".repeat(40),
  dirty: false,
};

/** A database with the schema, and what tests do with runs in it. */
export interface TestState extends AsyncDisposable {
  readonly test: TestDatabase;
  readonly database: Database;
  begin(keys?: readonly string[]): Promise<OwnedRun>;
  claim(run: OwnedRun, claim?: Partial<Claim>, database?: Database): Promise<OwnedRun>;
  journal(run: OwnedRun, database?: Database): Promise<PostgresJournal>;
  /** Does work over one connection, and has it ended: then it has told the server's statistics of all that it read. */
  whileConnected(work: (database: Database) => Promise<unknown>): Promise<void>;
  /** Has a transaction open that did something, until so many statements wait for it. */
  whileOpen<T>(act: (client: pg.ClientBase) => Promise<unknown>, waiting: number, work: () => Promise<T>): Promise<T>;
}

export async function testState(): Promise<TestState> {
  const test = await testDatabase();
  const database = new Database(test.url, { patienceMs: 10_000, warn: () => {} });
  await migrate(database);
  return {
    test,
    database,
    begin: (keys = ["a", "b"]) => beginRun(database, { pipeline: "lake", version, keys, owner: randomUUID() }),
    claim: (run, claim = {}, through = database) =>
      claimRun(through, run.id, {
        pipeline: "lake",
        version,
        owner: randomUUID(),
        staleMs: 30_000,
        allowsNewCode: false,
        check: () => {},
        ...claim,
      }),
    async journal({ id, owner, keys }, through = database) {
      const of = { run: id, owner, keys, hashOf, sentenceOf: (e: Error) => e.message, logOf: () => undefined };
      return new PostgresJournal(through, of, await readRunBefore(through, id));
    },
    async whileConnected(work) {
      const one = new Database(test.url, { patienceMs: 0, warn: () => {}, connections: 1 });
      const [row] = await one.query<{ pid: number }>({ name: "pid", text: "select pg_backend_pid() as pid" }, []);
      await work(one);
      await one[Symbol.asyncDispose]();
      while ((await test.sql("select from pg_stat_activity where pid = $1", [row!.pid])).length > 0);
    },
    async whileOpen(act, waiting, work) {
      const client = new pg.Client({ connectionString: test.url });
      await client.connect();
      await client.query("begin");
      await act(client);
      const result = work();
      while ((await test.sql(WAITING)).length < waiting);
      await client.query("commit");
      await client.end();
      return await result;
    },
    async [Symbol.asyncDispose]() {
      await database[Symbol.asyncDispose]();
      await test[Symbol.asyncDispose]();
    },
  };
}

const WAITING = "select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'";

function hashOf(step: string): string {
  return version.stepHashes[step]!;
}
