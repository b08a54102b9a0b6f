import { AsyncLocalStorage, createHook } from "node:async_hooks";
import { getEventListeners } from "node:events";
import { describe, expect, it } from "vitest";
import type { AttemptId, Outcome } from "../core/journal.ts";
import { defineStep, type StepDefinition } from "../core/step-definition.ts";
import { definePipeline } from "../core/pipeline-definition.ts";
import { Month } from "../core/keys/month.ts";
import { monthly } from "../core/partitions.ts";
import { SqlTables } from "../tables/sql/sql-tables.ts";
import { runInThisProcess, type MemoryRunOptions } from "./run-in-memory.ts";

const january = Month("2024-01");
const february = Month("2024-02");

/** Runs steps over two months, and keeps what was observed. */
async function run(steps: readonly StepDefinition[], options: Partial<MemoryRunOptions> = {}) {
  const events: string[] = [];
  const place = ({ step, partition, attempt }: AttemptId) => `${step}/${partition ?? ""}#${attempt}`;
  const pipeline = definePipeline("p", { steps, partitions: monthly("2024-01") });
  const { end } = await runInThisProcess(pipeline, {
    keys: [january, february],
    tables: new SqlTables(),
    kept: [],
    log: (attempt, line) => events.push(`${place(attempt.id)} | ${line}`),
    observer: {
      attemptStarted: (id) => events.push(`${place(id)} started`),
      attemptEnded: (id, outcome: Outcome, retryMs) =>
        events.push(
          `${place(id)} ${outcome.status}${outcome.status === "succeeded" ? "" : `: ${outcome.error.message}`}${retryMs === undefined ? "" : `, again in ${retryMs}`}`,
        ),
      skipped: (step, partition, because) => events.push(`${step}/${partition ?? ""} skipped by ${because}`),
      stray: (error) => events.push(error.message),
    },
    signal: new AbortController().signal,
    graceMs: 20,
    retryWaitMs: () => 0,
    ownsProcess: false,
    ...options,
  });
  return { end, events, counts: Object.fromEntries(end.steps.map((s) => [s.name, s.counts])) };
}

const mapped = (name: string, options: object, fn: (ctx: any, input: any) => unknown) =>
  defineStep("mapped", name, [options, fn]);
const gather = (name: string, options: object, fn: (ctx: any, input: any) => unknown) =>
  defineStep("gather", name, [options, fn]);

describe("a run", () => {
  it("gives each step its key, or the outputs of what it follows", async () => {
    const inputs: unknown[] = [];
    const seen = (name: string, output: (input: any) => unknown) => (_ctx: unknown, input: unknown) => {
      inputs.push([name, input]);
      return output(input);
    };
    const a = mapped(
      "a",
      {},
      seen("a", (key: string) => ({ key })),
    );
    const b = mapped(
      "b",
      { after: a },
      seen("b", ({ key }) => key.length),
    );
    const c = mapped(
      "c",
      { after: [a, b] },
      seen("c", ([x, n]) => [x.key, n]),
    );
    const first = gather(
      "first",
      {},
      seen("first", (keys) => keys.length),
    );
    const d = gather(
      "d",
      { after: [c, first] },
      seen("d", () => undefined),
    );
    const e = gather(
      "e",
      { after: d },
      seen("e", () => null),
    );
    const { end } = await run([a, b, c, first, d, e], { concurrency: 1 });
    expect(end.status).toBe("succeeded");
    expect(inputs).toEqual(
      expect.arrayContaining([
        ["a", january],
        ["a", february],
        ["b", { key: january }],
        ["c", [{ key: january }, 7]],
        ["first", [january, february]],
        [
          "d",
          [
            [
              [january, 7],
              [february, 7],
            ],
            2,
          ],
        ],
        ["e", undefined],
      ]),
    );
  });

  it("hands each follower a value of its own", async () => {
    const a = mapped("a", {}, () => ({ list: [1] }));
    const grow = (_ctx: unknown, value: { list: number[] }) => value.list.push(2);
    const [b, c] = [mapped("b", { after: a }, grow), mapped("c", { after: a }, grow)];
    const seen: number[] = [];
    const d = mapped("d", { after: [b, c] }, (_ctx, lengths: number[]) => void seen.push(...lengths));
    await run([a, b, c, d]);
    expect(seen).toEqual([2, 2, 2, 2]);
  });

  it("tries a failing step again up to its retries, with the same input, and then fails", async () => {
    const a = mapped("a", { retries: 2 }, (ctx, month) => {
      if (month === january && ctx.attempt < 3) throw new Error("not yet");
      if (month === february) throw new Error("never");
      return 1;
    });
    const b = mapped("b", { after: a }, () => 1);
    const total = gather("total", { after: b }, () => 1);
    const { end, events, counts } = await run([a, b, total], { concurrency: 1, retryWaitMs: (attempt) => attempt });
    expect(end.status).toBe("failed");
    expect(events.filter((e) => !e.includes("/2024-02"))).toEqual([
      "a/2024-01#1 started",
      "a/2024-01#1 failed: not yet, again in 1",
      "a/2024-01#2 started",
      "a/2024-01#2 failed: not yet, again in 2",
      "a/2024-01#3 started",
      "a/2024-01#3 succeeded",
      "b/2024-01#1 started",
      "b/2024-01#1 succeeded",
      "total/ skipped by b",
    ]);
    expect(events.filter((e) => e.includes("/2024-02"))).toEqual([
      "a/2024-02#1 started",
      "a/2024-02#1 failed: never, again in 1",
      "a/2024-02#2 started",
      "a/2024-02#2 failed: never, again in 2",
      "a/2024-02#3 started",
      "a/2024-02#3 failed: never",
      "b/2024-02 skipped by a",
    ]);
    expect(counts["b"]).toMatchObject({ succeeded: 1, skipped: 1 });
  });

  it("says of a skipped step which of those that it follows didn't succeed", async () => {
    const b = mapped("b", {}, () => Promise.reject(new Error("boom")));
    const c = mapped("c", {}, async () => await new Promise((resolve) => setTimeout(resolve, 5)));
    const total = gather("total", { after: [b, c] }, () => 1);
    const report = gather("report", { after: [c, total] }, () => 1);
    const { events } = await run([b, c, total, report]);
    expect(events.filter((e) => e.includes("skipped"))).toEqual(["total/ skipped by b", "report/ skipped by total"]);
  });

  it("works on other partitions while one waits to be tried again", async () => {
    const keys = Month.range(january, Month("2024-04"));
    const cancel = new AbortController();
    const done: string[] = [];
    const a = mapped("a", { retries: 1 }, (_ctx, month) => {
      if (month === january) throw new Error("not yet");
      if (done.push(month) === 3) cancel.abort();
    });
    const waitsForEver = { keys, concurrency: 1, signal: cancel.signal, retryWaitMs: () => 1_000_000 };
    const { counts } = await run([a], waitsForEver);
    expect(done).toEqual(["2024-02", "2024-03", "2024-04"]);
    expect(counts["a"]).toMatchObject({ succeeded: 3, cancelled: 1 });
  });

  it("works on no more partitions at once than it may", async () => {
    const keys = Month.range(january, Month("2025-12"));
    let [now, most] = [0, 0];
    const a = mapped("a", {}, async () => {
      most = Math.max(most, ++now);
      await new Promise(setImmediate);
      now--;
    });
    expect((await run([a], { keys, concurrency: 3 })).end.status).toBe("succeeded");
    expect(most).toBe(3);
  });

  it.each([
    ["an error", () => Promise.reject(new Error("boom")), "boom"],
    ["a text", () => Promise.reject("boom"), "it threw the text 'boom', which isn't an error: throw new Error(…)"],
    ["nothing", () => Promise.reject(undefined), "it threw undefined, which isn't an error: throw new Error(…)"],
    [
      "an object",
      () => Promise.reject({ code: 1 }),
      "it threw an object (code), which isn't an error: throw new Error(…)",
    ],
    [
      "what can't be looked at",
      () =>
        Promise.reject(
          new Proxy(
            {},
            {
              get: () => {
                throw new Error("no");
              },
              getPrototypeOf: () => {
                throw new Error("no");
              },
            },
          ),
        ),
      "it threw something that can't be looked at, which isn't an error: throw new Error(…)",
    ],
    [
      "an error whose members throw",
      () => {
        throw new Proxy(new Error("hidden"), {
          get: () => {
            throw new Error("no");
          },
        });
      },
      "it threw something that can't be looked at, which isn't an error: throw new Error(…)",
    ],
    [
      "an object without a prototype",
      () => Promise.reject(Object.create(null)),
      "it threw an object, which isn't an error: throw new Error(…)",
    ],
    ["a symbol", () => Promise.reject(Symbol("x")), "it threw a symbol, which isn't an error: throw new Error(…)"],
    ["what can't be stored", () => ({ f: () => 1 }), "outputs must be storable: output.f is a function"],
  ])("fails a step that gives %s", async (_what, fn, message) => {
    const { end, events } = await run([mapped("a", {}, fn)], { keys: [january] });
    expect(end.status).toBe("failed");
    expect(events.at(-1)).toBe(`a/2024-01#1 failed: ${message}`);
  });

  it("aborts the signal of a step whose timeout is over, and fails it by the timeout whatever it does then", async () => {
    const reasons: unknown[] = [];
    const stopped = (ctx: { signal: AbortSignal }) =>
      new Promise((resolve, reject) => {
        ctx.signal.addEventListener("abort", () => {
          reasons.push((ctx.signal.reason as Error).message);
          if (reasons.length === 1) resolve("late");
          else reject(new Error("stopped"));
        });
      });
    const { events } = await run([mapped("a", { timeout: "5ms" }, stopped)], { concurrency: 1 });
    const message = (month: string) => `step 'a' of ${month} took longer than its timeout, 5 ms`;
    expect(reasons).toEqual([message(january), message(february)]);
    expect(events.filter((e) => e.includes("timed-out"))).toEqual([
      `a/2024-01#1 timed-out: ${message(january)}`,
      `a/2024-01#1 timed-out: ${message(february)}`.replace("2024-01#", "2024-02#"),
    ]);
  });

  it("fails by its timeout a step that blocks the event loop for longer, when it returns", async () => {
    const blocks = () => {
      for (const until = performance.now() + 20; performance.now() < until;);
      return "late";
    };
    const { events } = await run([mapped("a", { timeout: "5ms" }, blocks)], { keys: [january] });
    expect(events.at(-1)).toBe("a/2024-01#1 timed-out: step 'a' of 2024-01 took longer than its timeout, 5 ms");
  });

  it("gives up a step that never settles once its timeout and the grace time are over, and tries it again", async () => {
    const a = mapped("a", { timeout: "5ms", retries: 1 }, (ctx) => (ctx.attempt === 1 ? new Promise(() => {}) : 1));
    const { end, events } = await run([a], { keys: [january] });
    expect(end.status).toBe("succeeded");
    expect(events[1]).toBe("a/2024-01#1 timed-out: step 'a' of 2024-01 took longer than its timeout, 5 ms, again in 0");
  });

  it("once cancelled, stops what is running, starts nothing, and counts what had succeeded", async () => {
    const cancel = new AbortController();
    const a = mapped("a", { retries: 3 }, (ctx, month) => {
      if (month === january) return 1;
      return new Promise((_resolve, reject) => {
        ctx.signal.addEventListener("abort", () => reject(new Error("stopped")));
        cancel.abort();
      });
    });
    const b = mapped("b", { after: a }, () => 1);
    const { end, events, counts } = await run([a, b], { concurrency: 1, signal: cancel.signal });
    expect(end.status).toBe("cancelled");
    expect(events.at(-1)).toBe("a/2024-02#1 cancelled: the run was cancelled");
    expect(counts["a"]).toMatchObject({ succeeded: 1, cancelled: 1 });
    expect(counts["b"]).toMatchObject({ succeeded: 1, waiting: 1 });
  });

  it("once cancelled, gives up a step that doesn't stop within the grace time, and one that waits to be tried again", async () => {
    const cancel = new AbortController();
    const a = mapped("a", { retries: 1 }, (_ctx, month) => {
      if (month === january) throw new Error("boom");
      setImmediate(() => cancel.abort());
      return new Promise(() => {});
    });
    const { end, counts } = await run([a], { concurrency: 2, signal: cancel.signal, retryWaitMs: () => 1_000_000 });
    expect(end.status).toBe("cancelled");
    expect(counts["a"]).toMatchObject({ cancelled: 2 });
  });

  it("that is cancelled before it begins starts nothing", async () => {
    const { end, events } = await run([mapped("a", {}, () => 1)], { signal: AbortSignal.abort() });
    expect(end.status).toBe("cancelled");
    expect(events).toEqual([]);
  });

  it("counts a step that had done its work when it was cancelled", async () => {
    const cancel = new AbortController();
    const a = mapped("a", {}, async () => {
      cancel.abort();
      await new Promise(setImmediate);
      return "done";
    });
    const { end, counts } = await run([a], { keys: [january], signal: cancel.signal });
    expect(end.status).toBe("succeeded");
    expect(counts["a"]).toMatchObject({ succeeded: 1 });
  });

  it("lets a step take the members of its context apart, and shows objects in its log as console.log does", async () => {
    const a = mapped("a", {}, ({ log, attempt, partition, partitions, run: { pipeline, id } }) =>
      log("month %s", partition, { attempt, partitions, pipeline, id }),
    );
    const { events } = await run([a], { keys: [january] });
    expect(events[1]).toBe(
      "a/2024-01#1 | month 2024-01 { attempt: 1, partitions: undefined, pipeline: 'p', id: undefined }",
    );
  });

  it("ends by the observer's or the journal's error, once the steps that are running have stopped; none is started after it", async () => {
    const started: string[] = [];
    let stopped = false;
    const a = mapped("a", {}, async (ctx, month) => {
      started.push(month);
      await new Promise((resolve) => ctx.signal.addEventListener("abort", resolve));
      await new Promise(setImmediate);
      stopped = true;
    });
    const keys = [january, february, Month("2024-03")];
    const broken = {
      attemptStarted: ({ partition }: AttemptId) => {
        if (partition === january) throw new Error("no journal");
      },
      attemptEnded: () => {},
      skipped: () => {},
      stray: () => {},
    };
    await expect(run([a], { keys, concurrency: 2, observer: broken })).rejects.toThrow("no journal");
    expect({ started, stopped }).toEqual({ started: [february], stopped: true });
  });

  it("leaves no timer and no listener behind, of timeouts, waits and the run's own signal", async () => {
    const { signal } = new AbortController();
    const inRun = new AsyncLocalStorage<true>();
    const [made, left] = [new Set<number>(), new Set<number>()];
    const hook = createHook({
      init(id, type) {
        if (type === "Timeout" && inRun.getStore() === true) for (const ids of [made, left]) ids.add(id);
      },
      destroy: (id) => void left.delete(id),
    }).enable();
    const a = mapped("a", { timeout: "1h", retries: 1 }, (ctx) => {
      if (ctx.attempt === 1) throw new Error("no");
    });
    const { end } = await inRun.run(true, () => run([a], { signal, retryWaitMs: () => 1 }));
    expect(end.status).toBe("succeeded");
    await new Promise(setImmediate); // the ends of timers are told in a turn of their own
    hook.disable();
    expect(made.size).toBeGreaterThan(1);
    expect(left).toEqual(new Set());
    expect(getEventListeners(signal, "abort")).toEqual([]);
  });

  it("that has its process gives it back as it was, and has it alone", async () => {
    const events = ["unhandledRejection", "uncaughtException", "beforeExit"] as const;
    const state = () => [process.exit, ...events.flatMap((event) => process.listeners(event as "beforeExit"))];
    const before = state();
    let second: unknown;
    const a = mapped("a", {}, async () => {
      second = await run([mapped("b", {}, () => 1)], { ownsProcess: true }).catch((error: Error) => error.message);
    });
    const { end } = await run([a], { keys: [january], ownsProcess: true });
    expect(end.status).toBe("succeeded");
    expect(second).toBe("another run lays what goes wrong in this process to its steps");
    expect(state()).toEqual(before);
  });

  it("waits before a step is tried again as long as it is told, by how often it has failed", async () => {
    const asked: number[] = [];
    const a = mapped("a", { retries: 2 }, (ctx) => {
      if (ctx.attempt < 3) throw new Error("no");
    });
    const retryWaitMs = (failures: number) => {
      asked.push(failures);
      return 0;
    };
    await run([a], { keys: [january], retryWaitMs });
    expect(asked).toEqual([1, 2]);
  });
});
