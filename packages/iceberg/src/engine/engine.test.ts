import { expect, it } from "vitest";
import { Engine } from "./engine.ts";

it("queries that nobody awaits when their engine is closed have their rows: the process goes on", async () => {
  const engine = new Engine({ threads: 1 });
  await engine.sql`select 1`.toArray();
  const queries = Array.from({ length: 20 }, (_, n) => engine.sql`select ${n}::int as n`.toArray());
  await engine[Symbol.asyncDispose]();
  expect((await Promise.all(queries)).flat()).toEqual(queries.map((_, n) => ({ n })));
});

it("sessions that are opened while their engine is closed are open", async () => {
  const engine = new Engine({ threads: 1 });
  (await engine.open())[Symbol.dispose]();
  const opening = Array.from({ length: 20 }, () => engine.open());
  await engine[Symbol.asyncDispose]();
  for (const session of await Promise.all(opening)) {
    expect((await session.connection.runAndReadAll("select 1")).getRows()).toEqual([[1]]);
    session[Symbol.dispose]();
  }
});
