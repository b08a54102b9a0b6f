// One that takes long: some minutes a month, with a line in its log each second.
import { setTimeout as sleep } from "node:timers/promises";
import { mapped, Month, monthly, pipeline } from "orcajs";
import { firstDay } from "./datasets.ts";

const SECONDS = 240;

export const simulated = mapped("simulated", async (ctx, month: Month) => {
  let value = 1;
  for (let second = 1; second <= SECONDS; second++) {
    await sleep(1_000, undefined, { signal: ctx.signal });
    value = (value * 16_807) % 2_147_483_647;
    ctx.log(`${month}: ${second} of ${SECONDS} s simulated, at ${value}`);
  }
  return value;
});

export default pipeline("simulation", { steps: [simulated], partitions: monthly(Month(firstDay.slice(0, 7))) });
