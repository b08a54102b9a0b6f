import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { migrationsModule } from "../../../../scripts/migrations.ts";
import { readFileSync } from "node:fs";
import { testDatabase, type TestDatabase } from "../../../../tests/postgres.ts";
import { Database } from "./database.ts";
import { migrate } from "./migrate.ts";
import { MIGRATIONS } from "./migrations.ts";
import { schemaText } from "./schema-text.fixture.ts";
import { addUser } from "./users.ts";

let test: TestDatabase;
beforeAll(async () => void (test = await testDatabase()));
afterAll(async () => await test[Symbol.asyncDispose]());

function open(url = test.url): Database {
  return new Database(url, { patienceMs: 0, warn: () => {}, connections: 1 });
}

describe("a database's schema", () => {
  it("is made once, however many processes start at once", async () => {
    const databases = Array.from({ length: 20 }, () => open());
    await Promise.all(databases.map((d) => migrate(d)));
    await Promise.all(databases.map((d) => d[Symbol.asyncDispose]()));
    expect(await test.sql("select version from orca.schema_migrations order by 1")).toEqual(
      MIGRATIONS.map(({ version }) => ({ version })),
    );
  });

  it("is the one in schema.txt, from whichever migration it is brought up to date", { timeout: 120_000 }, async () => {
    const schema = await schemaText(test);
    await expect(schema).toMatchFileSnapshot("schema.txt");
    for (let first = 0; first < MIGRATIONS.length; first++) {
      await using older = await testDatabase();
      await using database = open(older.url);
      await migrate(database, MIGRATIONS.slice(0, first));
      await migrate(database);
      expect(await schemaText(older)).toBe(schema);
    }
  });

  it("has all migrations in the module that is made of them", () => {
    expect(readFileSync(new URL("migrations.ts", import.meta.url), "utf8")).toBe(migrationsModule());
  });

  it("costs a start two statements when it is up to date", async () => {
    await using database = open();
    await migrate(database);
    const before = await statements();
    await migrate(database);
    expect((await statements()) - before).toBe(2);
  });

  it("is refused if a newer program made it, or another one", async () => {
    await using other = await testDatabase();
    await using database = open(other.url);
    await migrate(database);
    const newer = { version: MIGRATIONS.length + 1, name: "later", sql: "select 1" };
    await migrate(database, [...MIGRATIONS, newer]);
    await expect(migrate(database)).rejects.toThrow(
      `the database's schema is of a newer Orca (migration ${newer.version}; this one knows ${MIGRATIONS.length}): use that one`,
    );
    await expect(
      migrate(database, [{ ...MIGRATIONS[0]!, sql: "select 2" }, ...MIGRATIONS.slice(1), newer]),
    ).rejects.toThrow("migration 1 of the database's schema isn't the one of this Orca");
  });

  it("is made in a schema that its user was given, with pgcrypto as an administrator made it, and says so where nobody did", async () => {
    await using other = await testDatabase();
    const user = `user_${randomUUID().replaceAll("-", "")}`;
    await other.sql(`create role ${user} login password 'secret'`);
    try {
      await other.sql(`create schema orca authorization ${user}`);
      const url = Object.assign(new URL(other.url), { username: user, password: "secret" });
      await using database = open(url.href);
      await expect(migrate(database)).rejects.toMatchObject({
        code: "database-unfit",
        message: expect.stringMatching(
          /^passwords are hashed by .* run CREATE EXTENSION pgcrypto in .*permission/,
        ) as string,
      });
      await other.sql("create schema elsewhere; create extension pgcrypto with schema elsewhere");
      await other.sql(`grant usage on schema elsewhere to ${user}`);
      await migrate(database);
      await addUser(database, { name: "alice", password: "correct horse", actor: "me" });
    } finally {
      await other.sql(`drop owned by ${user} cascade; drop role ${user}`);
    }
  });

  it("is left as it was if a migration fails", async () => {
    await using other = await testDatabase();
    await using database = open(other.url);
    const broken = { version: 1, name: "broken", sql: "create table orca.half (); select no_such_thing" };
    await expect(migrate(database, [broken])).rejects.toThrow("no_such_thing");
    expect(await other.sql("select to_regclass('orca.half') as half, to_regnamespace('orca') as schema")).toEqual([
      { half: null, schema: null },
    ]);
  });
});

describe("a server", () => {
  it("is refused with synchronous_commit off, which may lose what is recorded", async () => {
    await using other = await testDatabase();
    await other.sql(`alter database ${new URL(other.url).pathname.slice(1)} set synchronous_commit = off`);
    await using database = open(other.url);
    await expect(migrate(database)).rejects.toThrow(
      "the database has synchronous_commit off, so that it may lose what it said is recorded: set it to on",
    );
    expect(await other.sql("select to_regnamespace('orca') as schema")).toEqual([{ schema: null }]);
  });

  it("is refused if it is older than Postgres 14", async () => {
    const old = { query: async () => [{ version: 13, sync: "on", known: false }] } as unknown as Database;
    await expect(migrate(old)).rejects.toThrow("the database is Postgres 13: Orca needs 14 or newer");
  });
});

async function statements(): Promise<number> {
  // of all connections but this one: each statement outside of a transaction is one
  await test.sql("select pg_stat_force_next_flush()");
  const [row] = await test.sql<{ n: number }>(
    "select (xact_commit + xact_rollback)::int as n from pg_stat_database where datname = current_database()",
  );
  return row!.n;
}
