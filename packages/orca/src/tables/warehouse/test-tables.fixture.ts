/** What the tests of a step's tables share: a step, its datasets, and its attempts over tables that each test has anew. */
import { afterEach, expect } from "vitest";
import type { Ctx } from "../../core/ctx.ts";
import { dataset } from "../../core/datasets/dataset.ts";
import type { ErrorCode } from "../../core/errors.ts";
import type { Month } from "../../core/keys/month.ts";
import type { StepDefinition } from "../../core/step-definition.ts";
import type { Row } from "../../core/sql/relation.ts";
import { mapped } from "../../core/step.ts";
import { TestTables } from "./test-tables.ts";
import type { TablesUser } from "../step-tables.ts";

export const raw = dataset("lake.raw", { id: "long", day: "date", value: "double?" });
export const clean = dataset("lake.clean", { id: "long", day: "date", note: "string?" });
export const kinds = dataset("lake.kinds", {
  id: "long",
  bytes: "binary?",
  counts: { "[string]": "long" },
  price: "decimal(6, 2)?",
  at: "timestamptz?",
});
export const day = "2024-01-31";

const step = mapped(
  "s",
  { reads: [raw, clean, "by.name"], writes: [clean, kinds, "by.name"] },
  async (_ctx, _month: Month) => 1,
) as unknown as StepDefinition;
type TablesCtx = Ctx<typeof raw | typeof clean | "by.name", typeof clean | typeof kinds | "by.name">;

/** An attempt that goes on. */
export const going: TablesUser = {
  id: { step: "s", partition: "2024-01", attempt: 1 },
  signal: new AbortController().signal,
  isOver: false,
};

export let tables = new TestTables("p", [step]);
afterEach(renewTables);

export async function renewTables(): Promise<void> {
  await tables[Symbol.asyncDispose]();
  tables = new TestTables("p", [step]);
}

let attempts = 0;
/** What the step's context has of tables, in one attempt at a partition. */
export function attempt(partition = "2024-01", user: Partial<TablesUser> = {}): TablesCtx {
  const id = { ...going.id, partition, attempt: ++attempts };
  return tables.of(step, partition, { ...going, id, ...user }) as unknown as TablesCtx;
}

/** What a table holds: nothing, if there is none. */
export async function rowsOf(name: string): Promise<readonly Row[]> {
  return (await tables.rows(name)) ?? [];
}

/** An error with a code, and the sentence that it says. */
export function refused(code: ErrorCode, message: string): unknown {
  return expect.objectContaining({ code, message });
}
