/** Builds run on a machine that has an older Node than the one that made them: here on the oldest that they are compiled for. */
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { call, callOrca, workFolder } from "./programs.ts";

const root = path.resolve(import.meta.dirname, "../..");
const oldestNode = path.join(root, "tests/oldest-node/node_modules/node/bin/node");
const work = workFolder();
afterAll(() => work[Symbol.dispose]());

it("the oldest Node is the one that builds are compiled for", async () => {
  expect((await call(oldestNode, ["--version"])).stdout).toBe("v20.19.0\n");
});

describe.each([
  ["examples/toy.ts", "2024-01..2024-03"],
  ["examples/flights/ingest.ts", "2001-01-01"],
  ["examples/lake.ts", "2025-01-01"],
  ["examples/trips.ts", "2024-01"],
  ["examples/labels.ts", "a,b"],
  ["examples/fanout.ts", "2024-01"],
])("a build of %s on the oldest Node", (file, partitions) => {
  const program = path.join(work.path, path.basename(file, ".ts"));
  const onOldest = (...words: string[]) => call(oldestNode, [program, ...words], { cwd: root });
  beforeAll(async () => {
    await callOrca(["build", file, "-o", program, "--no-check"]);
  });

  it("describes itself as on the newest", async () => {
    const { code, stdout, stderr } = await onOldest("describe");
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(stdout).toBe((await call(process.execPath, [program, "describe"])).stdout);
  });

  it("runs", async () => {
    const { code, stdout, stderr } = await onOldest("run", "--partitions", partitions, "--json");
    expect(code, stderr).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ status: "succeeded" });
  });
});

it("a build has the newer syntax of its source in an older form", async () => {
  work.write(
    "newer.ts",
    `import { mapped, type Month, monthly, pipeline } from "orcajs";
let isOpen = true;
const one = mapped("one", async (_ctx, _month: Month) => {
  using _door = { [Symbol.dispose]: () => void (isOpen = false) };
  return 1;
});
const two = mapped("two", { after: one }, async () => { if (isOpen) throw new Error("it is open"); });
export default pipeline("newer", { steps: [one, two], partitions: monthly("2024-01") });
`,
  );
  const program = path.join(work.path, "newer");
  await callOrca(["build", "newer.ts", "-o", program, "--no-check"], { cwd: work.path });
  expect(await call(oldestNode, [program, "run", "--partitions", "2024-01"])).toMatchObject({ code: 0, stderr: "" });
});

describe("a build whose steps fail on the oldest Node", () => {
  const program = path.join(work.path, "misbehave");
  beforeAll(async () => {
    await callOrca(["build", "tests/e2e/fixtures/misbehave.ts", "-o", program, "--no-check"]);
  });

  it.each([
    ["throws", /failed: boom \(tests\/e2e\/fixtures\/misbehave\.ts:\d+:\d+\)$/m],
    ["exits", /crashed: step 'act' of exits-1 called process\.exit\(0\)/],
    ["rejects", /crashed: step 'act' of rejects-1 left a rejection unhandled: left alone/],
    ["never-settles", /crashed: step 'act' of never-settles-1 can never end/],
  ])("of one that %s, says so", async (behaviour, sentence) => {
    const { code, stdout } = await call(oldestNode, [program, "run", "--partitions", `${behaviour}-1`]);
    expect(code).toBe(1);
    expect(stdout).toMatch(sentence);
  });
});
