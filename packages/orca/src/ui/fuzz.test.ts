/** Whatever is asked of any path: a sentence, never a fault of the server's, never a stack, never markup that somebody else wrote. */
import fc from "fast-check";
import { afterAll, beforeAll, expect, it } from "vitest";
import { testUi, type TestUi } from "./ui.fixture.ts";
import { VIEWS } from "./views.ts";
import { ACTS } from "./acts/add-acts.ts";

const MARK = "<x-fuzz>";
const RUNS = 400;

let ui: TestUi;
beforeAll(async () => {
  ui = await testUi();
  await ui.register("lake", { keysPerRun: 10 });
  await ui.test.sql(
    `insert into orca.runs (token, pipeline, version, status, trigger, keys, started_at, ended_at, error)
     select gen_random_uuid(), name, version, 'failed', 'manual', '{2024-01-01}', now(), now(), $1 from orca.pipelines`,
    [`${MARK}&"'`],
  );
  await ui.test.sql(
    `insert into orca.steps (run, step, partition, status, hash, input, attempts, failures, started_at, ended_at)
     values (1, 'load', '2024-01-01', 'failed', '0xa', $1, 1, 1, now(), now())`,
    [JSON.stringify(MARK)],
  );
  await ui.test.sql(
    `insert into orca.attempts (run, step, partition, attempt, status, owner, ended_at, error)
     values (1, 'load', '2024-01-01', 1, 'failed', gen_random_uuid(), clock_timestamp() + interval '1 s', $1)`,
    [MARK],
  );
});
afterAll(() => ui[Symbol.asyncDispose]());

const text = fc.oneof(
  fc.string({ unit: "binary", maxLength: 40 }),
  fc.constantFrom(
    ...[
      "",
      "0",
      "-1",
      "1",
      "1e9",
      "9007199254740993",
      "99999999999999999999",
      "NaN",
      "null",
      "undefined",
      "lake",
      "load",
    ],
    ...[
      "2024-01-01",
      "2024-13-01",
      "2024-01..2024-02",
      "2024-02..2024-01",
      "0000-01-01..9999-12-31",
      "@all",
      "@file:/etc/passwd",
    ],
    ...[
      "'; drop table orca.runs; --",
      "../../etc/passwd",
      "%00",
      "\0",
      "a".repeat(5_000),
      MARK,
      `"${MARK}`,
      "\u2028",
      "\ud800",
    ],
    ...["failed", "queued", "done", "missing", "manual", "schedule", "html", "json", "constructor", "__proto__"],
  ),
);
const segment = text.map((part) => encodeURIComponent(part.toWellFormed()));
const raw = fc.constantFrom("%", "%ff", "%c0%af", "%e0%80%80", "%2e%2e", "..", "//", "%zz", "%F0%28%8C%28");
const names = fc.constantFrom(
  ...[
    "q",
    "after",
    "before",
    "state",
    "pipeline",
    "trigger",
    "partition",
    "code",
    "from",
    "to",
    "step",
    "attempt",
    "year",
  ],
  ...["format", "key", "keys", "rerun", "begins", "at", "offset", "topics", "back", "allowNewCode", "maxRuns", "x"],
);
const query = fc.array(fc.tuple(names, fc.oneof(segment, raw)), { maxLength: 4 });
const pathIn = (patterns: readonly string[]) =>
  fc.constantFrom(...patterns).chain((pattern) => {
    const parts = pattern
      .split("/")
      .map((part) => (part.startsWith(":") ? fc.oneof(segment, raw, fc.constantFrom("1", "lake")) : fc.constant(part)));
    return fc.tuple(...parts).map((all) => all.join("/") || "/");
  });
const headers = fc.record(
  {
    accept: fc.constantFrom("application/json", "text/html", "*/*", "image/png", "application/json;q=0"),
    cookie: fc.constantFrom(
      "orca_session=x",
      `orca_session=${"x".repeat(43)}`,
      "orca_theme=dark",
      "orca_told=%3Cx-fuzz%3E",
      "orca_told=%zz",
    ),
  },
  { requiredKeys: [] },
);

async function isWellAnswered(answer: Response): Promise<void> {
  const body = await answer.text();
  expect(answer.status).toBeLessThan(500);
  expect(body).not.toMatch(/\n\s+at /);
  if (answer.headers.get("content-type")?.startsWith("text/html") === true) expect(body).not.toContain(MARK);
  expect(answer.headers.get("content-security-policy")).toContain("default-src 'none'");
  expect(ui.warnings.splice(0)).toEqual([]);
}

it("a page answers whatever it is asked for", { timeout: 300_000 }, async () => {
  await fc.assert(
    fc.asyncProperty(
      pathIn([...VIEWS.map((view) => view.path), "/login", "/:any", "/:any/:other"]),
      query,
      headers,
      async (path, params, given) => {
        const search = params.map(([name, value]) => `${name}=${value}`).join("&");
        await isWellAnswered(await ui.get(`${path}?${search}`, given));
      },
    ),
    { numRuns: RUNS },
  );
});

it("a form's path answers whatever is posted to it, and whoever posts", { timeout: 300_000 }, async () => {
  const form = fc.dictionary(
    names,
    text.map((value) => value.toWellFormed()),
    { maxKeys: 4 },
  );
  const paths = pathIn([...ACTS.map((act) => act.path), "/login", "/logout", "/theme"]);
  await fc.assert(
    fc.asyncProperty(paths, form, headers, async (path, fields, given) => {
      await isWellAnswered(await ui.post(path, fields, given));
    }),
    { numRuns: RUNS / 2 },
  );
});

it.each(["PUT", "DELETE", "PATCH", "OPTIONS", "PROPFIND"])("%s is refused", async (method) => {
  for (const path of ["/", "/runs/1", "/login", "/runs/1/cancel"])
    await isWellAnswered(await ui.post(path, {}, {}, method));
});
