// A diamond and a chain whose steps fail and crash as a seed says, and tell a file when their functions start and end.
import { createHash } from "node:crypto";
import { appendFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { gather, keyed, mapped, type Name, pipeline } from "orcajs";

interface Attempt {
  readonly attempt: number;
  readonly log: (line: string) => void;
}

/** Does a step's work between two lines in `CHAOS_FILE`: those are written before the next line of code runs, and outlive a kill. */
async function told<T>(ctx: Attempt, step: string, partition: string, work: () => T): Promise<T> {
  const tell = (what: string) =>
    appendFileSync(process.env["CHAOS_FILE"]!, `${Date.now()} ${what} ${step} ${partition} ${ctx.attempt}\n`);
  tell("start");
  ctx.log(`working on ${step} ${partition}`);
  await meetTrouble(`${step} ${partition}`, ctx.attempt);
  const result = work();
  tell("end");
  return result;
}

/** Takes a while, and may fail, kill its process or block it: the same at every run of a seed (`CHAOS_TROUBLE`), and not for ever. */
async function meetTrouble(place: string, attempt: number): Promise<void> {
  const seed = process.env["CHAOS_TROUBLE"];
  if (seed === undefined) return;
  const [first, second] = createHash("sha256").update(`${seed} ${place} ${attempt}`).digest();
  await sleep(second! / 16);
  if (attempt > 2) return;
  if (first! < 6) throw new Error(`trouble with ${place}`);
  if (first === 6) process.kill(process.pid, "SIGKILL");
  if (first === 7) process.exit(0);
  if (first === 8 && place.startsWith("right")) for (;;);
}

const fetch = mapped("fetch", { retries: 1 }, async (ctx, key: Name) =>
  told(ctx, "fetch", key, () => ({
    key: String(key),
    n: Array.from(key, (c) => c.charCodeAt(0)).reduce((sum, c) => sum * 31 + c, 7),
  })),
);
const left = mapped("left", { after: fetch, retries: 2 }, async (ctx, { key, n }) =>
  told(ctx, "left", key, () => ({ key, half: n / 2 })),
);
const right = mapped("right", { after: fetch, timeout: "500ms", retries: 1 }, async (ctx, { key, n }) =>
  told(ctx, "right", key, () => ({ key, double: n * 2 })),
);
const join = mapped("join", { after: [left, right] }, async (ctx, [{ key, half }, { double }]) =>
  told(ctx, "join", key, () => ({ key, both: half + double })),
);
const total = gather("total", { after: join, retries: 1 }, async (ctx, joined) =>
  told(ctx, "total", "-", () => joined.reduce((sum, { both }) => sum + both, 0)),
);
const share = mapped("share", { after: join }, async (ctx, { key, both }) =>
  told(ctx, "share", key, () => ({ key, share: both / 3 })),
);
const summary = gather("summary", { after: [share, total] }, async (ctx, [shares, sum]) =>
  told(ctx, "summary", "-", () => shares.map(({ key, share }) => `${key}=${share / sum}`)),
);

export default pipeline("chaos", {
  steps: [fetch, left, right, join, total, share, summary],
  partitions: keyed("test.keys", "key"),
});
