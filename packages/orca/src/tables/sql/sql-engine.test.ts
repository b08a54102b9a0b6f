import { expect, it, vi } from "vitest";
import { defineStep } from "../../core/step-definition.ts";
import { SqlTables } from "./sql-tables.ts";

vi.mock("@duckdb/node-api", () => {
  throw new Error("no such library");
});

it("an engine that can't start fails its queries, and nothing else when its tables are disposed", async () => {
  const unhandled: unknown[] = [];
  const listener = (reason: unknown) => unhandled.push(reason);
  process.on("unhandledRejection", listener);
  const tables = new SqlTables();
  const user = {
    id: { step: "s", partition: undefined, attempt: 1 },
    signal: new AbortController().signal,
    isOver: false,
  };
  const query = tables.of(defineStep("gather", "s", [() => 1]), undefined, user).sql`select 1`;
  await expect(query.toArray()).rejects.toMatchObject({
    code: "sql-misfit",
    message: expect.stringContaining("SQL's engine, DuckDB, doesn't start: ") as unknown,
  });
  await tables[Symbol.asyncDispose]();
  // unhandled rejections are reported once all that is waiting has run
  await new Promise((resolve) => setImmediate(resolve));
  process.off("unhandledRejection", listener);
  expect(unhandled).toEqual([]);
});
