import { expect, it, vi } from "vitest";
import { attempt, refused, renewTables } from "./memory-tables.fixture.ts";

vi.mock("@duckdb/node-api", () => {
  throw new Error("no such library");
});

it("an engine that can't start fails its queries, and nothing else when its tables are disposed", async () => {
  const unhandled: unknown[] = [];
  const listener = (reason: unknown) => unhandled.push(reason);
  process.on("unhandledRejection", listener);
  const query = attempt().sql`select 1`;
  await expect(query.toArray()).rejects.toThrow(
    refused("sql-misfit", expect.stringContaining("SQL's engine, DuckDB, doesn't start: ") as string),
  );
  renewTables();
  // unhandled rejections are reported once all that is waiting has run
  await new Promise((resolve) => setImmediate(resolve));
  process.off("unhandledRejection", listener);
  expect(unhandled).toEqual([]);
});
