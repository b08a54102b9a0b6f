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

/** What has a meaning somewhere, and so is taken for something. */
const MEANT =
  "0 -1 1 1e9 9007199254740993 99999999999999999999 NaN null undefined lake load 2024-01-01 2024-13-01 2024-01..2024-02 2024-02..2024-01 " +
  "0000-01-01..9999-12-31 @all @file:/etc/passwd ../../etc/passwd %00 failed queued done missing manual schedule html json constructor __proto__";
const ODD = ["", "'; drop table orca.runs; --", "\0", "a".repeat(5_000), MARK, `"${MARK}`, "\u2028", "\ud800"];
const NAMES =
  "q after before state pipeline trigger partition code from to step attempt year format key keys rerun begins at offset topics back allowNewCode " +
  "maxRuns select x";

const text = fc.oneof(fc.string({ unit: "binary", maxLength: 40 }), fc.constantFrom(...MEANT.split(" "), ...ODD));
const segment = text.map((part) => encodeURIComponent(part.toWellFormed()));
const raw = fc.constantFrom("%", "%ff", "%c0%af", "%e0%80%80", "%2e%2e", "..", "//", "%zz", "%F0%28%8C%28");
const names = fc.constantFrom(...NAMES.split(" "));
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

/** What is wrong with an answer. */
async function faultsOf(answer: Response): Promise<readonly string[]> {
  const body = await answer.text();
  const isHtml = answer.headers.get("content-type")?.startsWith("text/html") === true;
  return [
    answer.status >= 500 ? `status ${answer.status}` : "",
    /\n\s+at /.test(body) ? "a stack" : "",
    isHtml && body.includes(MARK) ? "somebody else's markup" : "",
    answer.headers.get("content-security-policy")?.includes("default-src 'none'") === true ? "" : "no policy",
    ...ui.warnings.splice(0),
  ].filter((fault) => fault !== "");
}

it("a page answers whatever it is asked for", { timeout: 300_000 }, async () => {
  const paths = pathIn([...VIEWS.map((view) => view.path), "/login", "/:any", "/:any/:other"]);
  await fc.assert(
    fc.asyncProperty(paths, query, headers, async (path, params, given) => {
      const search = params.map(([name, value]) => `${name}=${value}`).join("&");
      expect(await faultsOf(await ui.get(`${path}?${search}`, given))).toEqual([]);
    }),
    { numRuns: RUNS },
  );
});

it("a form's path answers whatever is posted to it, and whoever posts", { timeout: 300_000 }, async () => {
  const value = text.map((given) => given.toWellFormed());
  const paths = pathIn([...ACTS.map((act) => act.path), "/login", "/logout", "/theme"]);
  await fc.assert(
    fc.asyncProperty(paths, fc.dictionary(names, value, { maxKeys: 4 }), headers, async (path, fields, given) => {
      expect(await faultsOf(await ui.post(path, fields, given))).toEqual([]);
    }),
    { numRuns: RUNS / 2 },
  );
});

it.each(["PUT", "DELETE", "PATCH", "OPTIONS", "PROPFIND"])("%s is refused", async (method) => {
  for (const path of ["/", "/runs/1", "/login", "/runs/1/cancel"]) {
    const answer = await ui.post(path, {}, {}, method);
    expect([path, answer.status, await faultsOf(answer)]).toEqual([path, 404, []]);
  }
});

it.each(["application/json", "text/plain", "multipart/form-data", "multipart/form-data; boundary=x"])(
  "a body of %s that isn't a form is refused with a sentence",
  async (type) => {
    for (const path of [...ACTS.map((act) => act.path.replaceAll(/:\w+/g, "1")), "/login", "/theme"]) {
      const answer = await ui.post(path, { "{": "" }, { "content-type": type, accept: "application/json" });
      expect([path, answer.status, await answer.clone().text()]).toEqual([
        path,
        400,
        expect.stringContaining("a form"),
      ]);
      expect(await faultsOf(answer)).toEqual([]);
    }
  },
);

it("a post without a body is a form without fields", async () => {
  for (const act of ["pause", "unpause"]) {
    const answer = await ui.post(`/pipelines/lake/${act}`, undefined);
    expect([act, answer.status, await faultsOf(answer)]).toEqual([act, 303, []]);
  }
});

it.each(["2147483647", "2147483648", "9007199254740991"])("a page answers to the number %s", async (number) => {
  const paths = [...VIEWS.map((view) => view.path), "/runs/:run/logs/:step/:partition", "/runs/:run/driver-log"];
  for (const pattern of paths) {
    const path = pattern.replace(":step", "load").replace(":partition", "2024-01-01").replace(":name", "lake");
    for (const at of [path.replaceAll(/:\w+/g, "1"), path.replaceAll(/:\w+/g, number)])
      for (const name of NAMES.split(" "))
        expect([at, name, await faultsOf(await ui.get(`${at}?${name}=${number}`))]).toEqual([at, name, []]);
  }
  for (const { path } of ACTS)
    for (const name of NAMES.split(" ")) {
      const form = { keys: "2024-01-01", [name]: number };
      const answer = await ui.post(path.replace(":name", "lake").replaceAll(/:\w+/g, "1"), form);
      expect([path, name, await faultsOf(answer)]).toEqual([path, name, []]);
    }
});
