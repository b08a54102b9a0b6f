/** Steps, pipelines, schedules and partitions, at run time. */
import { cron, Day, daily, gather, keyed, mapped, Month, monthly, pipeline, task, type Name } from "orcajs";
import { days, measure, total } from "../shared/steps.ts";
import { inStep, rule, untyped } from "./rule.ts";

const partitions = monthly("2024-01");
const logs = keyed("av2.logs", "log_id");
const label = mapped("label", async (_ctx, _log: Name) => 1);
const trips = task("trips", async (_day: string) => 1);
const each = task("each", async (rows: unknown) => rows);
const getter = task(
  "getter",
  untyped(async () => ({ get: () => 1 })),
);
/** Runs a step whose function gives what no step may. */
const giving = (output: unknown) => () => inStep({}, () => output);
class Sample {
  size() {
    return 1;
  }
}

export const stepRules = [
  rule("a mapped step can't follow a gather step, and 'total' is one", () =>
    mapped("m", { after: untyped(total) }, async () => 1),
  ),
  rule("step 'total' is listed before 'measure', which it follows: list steps in run order", () =>
    pipeline("p", { steps: untyped([days, total, measure]), partitions }),
  ),
  rule("step 'total' follows 'measure', which isn't one of this pipeline's steps", () =>
    pipeline("p", { steps: untyped([days, total]), partitions }),
  ),
  rule("two steps are named 'days': step names are unique", () =>
    pipeline("p", { steps: untyped([days, days]), partitions }),
  ),
  ...(["schedule", "fills", "catchup"] as const).map((option) =>
    rule(`a keyed pipeline has no ${option}: it runs by hand, by backfill or as a sensor`, () =>
      pipeline("p", { steps: [label], partitions: logs, [option]: untyped(false) }),
    ),
  ),
  rule("only a keyed pipeline has keysPerRun", () =>
    pipeline("p", { steps: [days], partitions, keysPerRun: untyped(3) }),
  ),

  rule("'trips' isn't in this step's tasks", () => inStep({}, (ctx) => ctx.remote(trips, "2024-01-31"))),
  rule(
    "outputs must be storable: output.rows[].get is a function",
    giving({ rows: [{ get: () => 1 }] }),
    "outputs must be storable: output.rows[0].get is a function",
  ),
  rule(
    "outputs must be storable: output.size is a function",
    giving(new Sample()),
    "outputs must be storable: output is a class instance (Sample)",
  ),
  rule(
    "outputs must be storable: output is a class instance",
    giving(new Error("x")),
    "outputs must be storable: output is a class instance (Error)",
  ),
  rule(
    "outputs must be storable: output.pages[] is a promise: await it",
    giving({ pages: [Promise.resolve(1)] }),
    "outputs must be storable: output.pages[0] is a promise: await it",
  ),
  rule("outputs must be storable: a key of output is a symbol", giving(new Map([[Symbol("x"), 1]]))),
  rule("outputs must be storable: an element of output is a function", giving(new Set([() => 1]))),
  rule("results must be storable: result.get is a function", () =>
    inStep({ tasks: [getter] }, (ctx) => ctx.remote(getter)),
  ),
  rule(
    "arguments must be storable: argument[][].each is a function",
    () => inStep({ tasks: [each] }, (ctx) => ctx.remote(each, [{ each: () => 1 }])),
    "arguments must be storable: argument[0][0].each is a function",
  ),

  rule(
    'a schedule is made by cron: write cron("0 3 * * *")',
    () => pipeline("p", { steps: [days], partitions, schedule: untyped({ cron: "@daily", timeZone: "UTC" }) }),
    "pipeline 'p''s schedule is an object (cron, timeZone): write schedule: cron(\"0 3 * * *\")",
  ),
  ...(
    [
      ['months are made by monthly: write monthly("2024-01")', { kind: "monthly", start: "2024-01" }],
      ['days are made by daily: write daily("2024-01-31")', { kind: "daily", start: "2024-01-31" }],
      ['keys are made by keyed: write keyed("av2.logs", "log_id")', { kind: "keyed", dataset: "a.b", column: "c" }],
    ] as const
  ).map(([says, byHand]) =>
    rule(
      says,
      () => pipeline("p", { steps: [days], partitions: untyped(byHand) }),
      `pipeline 'p' has an object (${Object.keys(byHand).join(", ")}) as its partitions: write partitions: monthly("2024-01"), daily(…) or keyed(…)`,
    ),
  ),

  ...["2024-13", "2024-1", "2024-01-01"].map((text) =>
    rule(`'${text}' isn't a month: write YYYY-MM, such as 2024-01`, () => monthly(untyped(text))),
  ),
  rule("'24-01' isn't a month: write YYYY-MM, such as 2024-01", () => Month(untyped("24-01"))),
  ...["2023-02-29", "2024-01"].map((text) =>
    rule(`'${text}' isn't a day: write YYYY-MM-DD, such as 2024-01-31`, () => daily(untyped(text))),
  ),
  rule("'1900-02-29' isn't a day: write YYYY-MM-DD, such as 2024-01-31", () => Day(untyped("1900-02-29"))),

  ...[
    ["0 3 2 *", "'0 3 2 *' has 4 fields: cron takes 5 (minute hour day month weekday)"],
    ["0 24 2 * *", "'24' isn't a cron hour (0-23)"],
    ["61 3 2 * *", "'61' isn't a cron minute (0-59)"],
    ["0 3 0 * *", "'0' isn't a cron day of the month (1-31)"],
    ["*/0 3 2 * *", "'*/0' isn't a cron minute (0-59)"],
    ["0 3 2 13 *", "'13' isn't a cron month (1-12 or jan-dec)"],
    ["0 3 2 * 8", "'8' isn't a cron day of the week (0-7 or sun-sat)"],
    ["0 3 2 * funday", "'funday' isn't a cron day of the week (0-7 or sun-sat)"],
    ["0 17-9 * * *", "'17-9' runs backwards: write the lower end first, or two ranges"],
    ["@dialy", "'@dialy' isn't a cron shorthand, such as @daily"],
    ["0 0 30 2 *", "there's no day 30 in month 2: it would never be due"],
  ].map(([text, says]) => rule(says!, () => cron(untyped(text)))),
];

/** What only types can know: why there is no such rule at run time. */
const keyIsErased = "a function's parameter has no type at run time: it is given whatever key the pipeline has";
export const stepRulesOfTypes = [
  ["step 'days' takes Month: a first mapped step takes the partition key, Day", keyIsErased],
  ["step 'days' takes Month: a first mapped step takes the partition key, Name", keyIsErased],
  ["step 'other' takes Day: a first mapped step takes the partition key, Month", keyIsErased],
  ["step 'text' doesn't say which key it takes: a first mapped step takes the partition key, Month", keyIsErased],
  ["step 'bare' doesn't say which key it takes: a first mapped step takes the partition key, Month", keyIsErased],
  ["step 'all' takes Month[]: a first gather step takes an array of the partition key, Day[]", keyIsErased],
  [
    "step 'bare' doesn't say which key it takes: a first gather step takes an array of the partition key, Month[]",
    keyIsErased,
  ],
] as const;

/** What the compiler says in words of its own, or doesn't know. */
export const stepRulesOfRunTime = [
  rule("step 'm' has no function: write mapped(\"m\", async (ctx, input) => …)", () =>
    untyped(mapped)("m", { retries: 1 }),
  ),
  rule("'retires' isn't an option of step 'm': write retries", () =>
    mapped("m", untyped({ retires: 2 }), async () => 1),
  ),
  rule("step 'm''s retries is 2.5: it takes a whole number from 0 to 1000", () =>
    mapped("m", { retries: 2.5 }, async () => 1),
  ),
  rule("step 'm' follows the text 'days', which isn't a step: write after: theStep", () =>
    mapped("m", { after: untyped("days") }, async () => 1),
  ),
  rule("step 'm' follows 'days' twice: name each step once", () => mapped("m", { after: [days, days] }, async () => 1)),
  rule("step 'm' follows an empty list: leave after out of a first step", () =>
    mapped("m", { after: untyped([]) }, async () => 1),
  ),
  ...["10 minutes", "0s", "25d", "-1m"].map((text) =>
    rule(
      `step 'm''s timeout is '${text}', which isn't a duration of at most 24d: write a number and a unit, such as 30s, 10m or 2h`,
      () => mapped("m", { timeout: untyped(text) }, async () => 1),
    ),
  ),
  rule(
    "'a step' isn't a step's name: use 1 to 128 letters, digits and ._-, beginning with a letter, a digit or _",
    () => gather("a step", async () => 1),
  ),
  rule("step 'm''s reads holds 3, which isn't a dataset or its name", () =>
    mapped("m", { reads: untyped([3]) }, async () => 1),
  ),
  rule("step 'm''s tasks holds the text 'trips', which isn't a task: make it with task(name, fn)", () =>
    mapped("m", { tasks: untyped(["trips"]) }, async () => 1),
  ),
  rule("pipeline 'p' has no steps: write steps: [first, …]", () => pipeline("p", { steps: untyped([]), partitions })),
  rule("pipeline 'p''s steps holds 3, which isn't a step: make it with mapped or gather", () =>
    pipeline("p", { steps: untyped([days, 3]), partitions }),
  ),
  rule("pipeline 'p' says no partitions: write partitions: monthly(\"2024-01\"), daily(…) or keyed(…)", () =>
    pipeline("p", untyped({ steps: [days] })),
  ),
  rule("'shedule' isn't an option of pipeline 'p': write schedule", () =>
    pipeline("p", untyped({ steps: [days], partitions, shedule: cron("@daily") })),
  ),
  rule("pipeline 'p''s schedule is the text '@daily': write schedule: cron(\"0 3 * * *\")", () =>
    pipeline("p", { steps: [days], partitions, schedule: untyped("@daily") }),
  ),
  rule("pipeline 'p''s schedule is an object (cron, timeZone): write schedule: cron(\"0 3 * * *\")", () =>
    // a spread passes the compiler, and is no longer what cron has checked
    pipeline("p", { steps: [days], partitions, schedule: { ...cron("@daily"), timeZone: "Mars/Base" } }),
  ),
  rule("pipeline 'p''s steps holds mapped 'byHand', which isn't a step: make it with mapped or gather", () =>
    pipeline("p", { steps: untyped([{ kind: "mapped", name: "byHand", after: [], fn: async () => 1 }]), partitions }),
  ),
  rule("step 'm' follows mapped 'byHand', which isn't a step: write after: theStep", () =>
    mapped("m", { after: untyped({ kind: "mapped", name: "byHand", after: [] }) }, async () => 1),
  ),
  rule("pipeline 'p''s fills is the text 'next': it takes current or previous", () =>
    pipeline("p", { steps: [days], partitions, fills: untyped("next") }),
  ),
  rule("pipeline 'p''s sensor is the text 'yes': it takes true or false", () =>
    pipeline("p", { steps: [days], partitions, sensor: untyped("yes") }),
  ),
  rule("pipeline 'p''s maxRuns is 0: it takes a whole number from 1 to 1000000", () =>
    pipeline("p", { steps: [days], partitions, maxRuns: 0 }),
  ),
  rule("pipeline 'p''s keysPerRun is 0: it takes a whole number from 1 to 1000000", () =>
    pipeline("p", { steps: [label], partitions: logs, keysPerRun: 0 }),
  ),
  rule("two tasks are named 'trips': task names are unique", () =>
    pipeline("p", {
      steps: [
        mapped("a", { tasks: [trips] }, async (_ctx, _m: Month) => 1),
        mapped("b", { tasks: [task("trips", async () => 2)] }, async (_ctx, _m: Month) => 1),
      ],
      partitions,
    }),
  ),
  rule("'Mars/Base' isn't a time zone: write an IANA name such as Europe/London", () => cron("@daily", "Mars/Base")),
];
