/** A site with a database, a scheduler and pipelines of its own, all of them real. */
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { callOrca, start, orcaProgram, workFolder } from "../e2e/programs.ts";
import { testDatabase, type TestDatabase } from "../postgres.ts";

const fixtures = path.join(import.meta.dirname, "fixtures");

/** Taken once: what the site was made with is there after midnight, too. */
const today = Date.now();
/** So many days before that on which the tests began, as a key. */
export const day = (before: number) => new Date(today - before * 86_400_000).toISOString().slice(0, 10);

export interface Site extends AsyncDisposable {
  readonly url: string;
  readonly test: TestDatabase;
  orca(...words: string[]): Promise<string>;
  /** Lets somebody log in: from then on acting takes a login. */
  addUser(name: string, password: string): Promise<void>;
  /** Puts a file into the folder that the fixtures read, or takes it away. */
  put(name: string, text: string | undefined): void;
}

export interface SiteOptions {
  /** So many days before today have runs: 10. */
  readonly days?: number;
  /** Where the UI finds the database, of where it is: there. */
  readonly uiDatabase?: (url: string) => Promise<string>;
}

/** Of the days the third before today has a file that is wrong, and the fifth none. */
export async function openSite({ days = 10, uiDatabase = async (url) => url }: SiteOptions = {}): Promise<Site> {
  const work = workFolder();
  const test = await testDatabase();
  const inbox = path.join(work.path, "inbox");
  mkdirSync(inbox);
  const env = {
    ORCA_DATABASE_URL: test.url,
    ORCA_WAREHOUSE: path.join(work.path, "lake"),
    ORCA_LOGS: path.join(work.path, "logs"),
    ORCA_PROGRAMS: path.join(work.path, "programs"),
    ORCA_SAMPLE_SECONDS: "1",
    ORCA_UI_ADDR: "127.0.0.1:0",
    SHOP_INBOX: inbox,
    SHOP_TODAY: day(0),
  };
  const call = async (words: readonly string[], input?: string) => {
    const { code, stdout, stderr } = await callOrca(words, { env, ...(input !== undefined && { input }) });
    if (code !== 0) throw new Error(`orca ${words.join(" ")}: ${stderr}`);
    return stdout;
  };
  const orca = (...words: string[]) => call(words);
  const put = (name: string, text: string | undefined) =>
    text === undefined ? rmSync(path.join(inbox, name), { force: true }) : writeFileSync(path.join(inbox, name), text);
  for (let before = 1; before <= days; before++)
    if (before !== 5) put(`${day(before)}.txt`, before === 3 ? "1\ntwo\n" : "100\n250\n");
  const programs = ["orders", "monthly"].map((name) => [path.join(fixtures, `${name}.ts`), path.join(work.path, name)]);
  await Promise.all(programs.map(([file, out]) => orca("build", file!, "-o", out!, "--no-native", "--no-check")));
  for (const [, out] of programs) await orca("register", out!);
  await orca("backfill", "orders", `${day(days)}..${day(1)}`);
  await orca("tick", "--wait");
  const scheduler = start(process.execPath, [orcaProgram, "scheduler"], { env });
  const ui = start(process.execPath, [orcaProgram, "ui"], {
    env: { ...env, ORCA_DATABASE_URL: await uiDatabase(test.url) },
  });
  await Promise.all([scheduler.printed("scheduling"), ui.printed("Ctrl-C")]);
  return {
    url: /http:\/\/[\d.]+:\d+/.exec(ui.printedSoFar())![0],
    test,
    orca,
    addUser: async (name, password) => void (await call(["user", "add", name], `${password}\n`)),
    put,
    async [Symbol.asyncDispose]() {
      for (const one of [scheduler, ui]) {
        one.process.kill("SIGTERM");
        await one.ended;
      }
      await test[Symbol.asyncDispose]();
      work[Symbol.dispose]();
    },
  };
}
