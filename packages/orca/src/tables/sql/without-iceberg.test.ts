import { expect, it, vi } from "vitest";
import type { Month } from "../../core/keys/month.ts";
import { monthly } from "../../core/partitions.ts";
import { pipeline } from "../../core/pipeline.ts";
import { mapped } from "../../core/step.ts";
import { runInMemory } from "../../testing.ts";

vi.mock("@orcajs/iceberg", () => {
  throw new Error("it takes 0.1 s to load");
});

it("a run of steps without datasets loads nothing of Iceberg, also for SQL", async () => {
  const step = mapped("step", async (ctx, month: Month) => {
    const [row] = await ctx.sql<{ month: string }>`select ${month} as month`.toArray();
    return row!.month;
  });
  const alone = pipeline("alone", { steps: [step], partitions: monthly("2024-01") });
  const run = await runInMemory(alone, { partitions: ["2024-01"] });
  expect(run.output(step, "2024-01")).toBe("2024-01");
  await expect(run.rows("lake.raw")).rejects.toThrow("there is no table 'lake.raw'");
});
