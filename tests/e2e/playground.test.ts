/** The playground: something to look at in a moment, and nothing left of it. */
import { globSync, readdirSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, expect, it } from "vitest";
import { Orca } from "../../scripts/playground/orca.ts";
import { start, type Started } from "./programs.ts";

const root = path.resolve(import.meta.dirname, "../..");
const main = path.join(root, "scripts/playground/main.ts");
/** What it makes, and where. */
const made = () => [
  ...globSync("orca-playground-*", { cwd: tmpdir() }),
  ...globSync("build/orca-playground-*", { cwd: root }),
];

let playground: Started | undefined;
afterEach(async () => {
  playground?.process.kill("SIGTERM");
  await playground?.ended;
});

interface Shown {
  readonly pipelines: readonly { readonly name: string; readonly runs: readonly { readonly status: string }[] }[];
}

it("has pipelines that run and fail, ends with Ctrl-C, and leaves nothing behind", { timeout: 300_000 }, async () => {
  const before = made();
  playground = start(process.execPath, [main], { env: { ORCA_UI_ADDR: "127.0.0.1:0" } });
  await playground.printed("Ctrl-C ends it");
  const [site] = /http:\/\/[\d.:]+/.exec(playground.printedSoFar())!;
  const shown = async () => (await (await fetch(`${site}/?format=json`)).json()) as Shown;
  const statuses = ({ pipelines }: Shown, of: string) =>
    pipelines.find(({ name }) => name === of)!.runs.map(({ status }) => status);
  expect((await shown()).pipelines).toHaveLength(8);
  for (;;) {
    const now = await shown();
    const hasAll =
      statuses(now, "payments").includes("failed") &&
      statuses(now, "simulation").includes("running") &&
      statuses(now, "fanout").includes("succeeded");
    if (hasAll) break;
    expect(playground.process.exitCode).toBeNull();
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
  playground.process.kill("SIGINT");
  expect(await playground.ended).toMatchObject({ code: 0, stderr: "" });
  expect(made()).toEqual(before);
  expect(processesOf("orca-playground-")).toEqual([]);
});

it("starts nothing more when it is to end, also between two commands", async () => {
  const orca = new Orca(path.join(root, "packages/orca/bin/orca.js"), process.env);
  expect(await orca.run(["--version"], new AbortController().signal)).toMatch(/^\d/);
  await expect(orca.run(["--version"], AbortSignal.abort("the end"))).rejects.toBe("the end");
});

it("leaves nothing behind where it is killed", { timeout: 300_000 }, async () => {
  const before = made();
  playground = start(process.execPath, [main], { env: { ORCA_UI_ADDR: "127.0.0.1:0" } });
  await playground.printed("Ctrl-C ends it");
  const own = made().filter((folder) => !before.includes(folder));
  expect(own).toHaveLength(2);
  playground.process.kill("SIGKILL");
  await expect.poll(() => made().filter((folder) => own.includes(folder)), { timeout: 60_000 }).toEqual([]);
  await expect.poll(() => processesOf(path.basename(own[0]!)), { timeout: 10_000 }).toEqual([]);
});

/** Commands of processes that name something. */
function processesOf(name: string): readonly string[] {
  return readdirSync("/proc")
    .filter((entry) => /^\d+$/.test(entry))
    .flatMap((pid) => {
      try {
        const command = readFileSync(`/proc/${pid}/cmdline`, "utf8");
        return command.includes(name) ? [command] : [];
      } catch {
        return []; // it has ended meanwhile
      }
    });
}
