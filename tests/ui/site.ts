/** A site with a database, a scheduler and pipelines of its own, all of them real. */
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { callOrca, start, orcaProgram, workFolder } from "../e2e/programs.ts";
import { testDatabase, type TestDatabase } from "../postgres.ts";

const fixtures = path.join(import.meta.dirname, "fixtures");

export interface Site extends AsyncDisposable {
  readonly url: string;
  readonly test: TestDatabase;
  orca(...words: string[]): Promise<string>;
  /** Puts a file into the folder that the fixtures read, or takes it away. */
  put(name: string, text: string | undefined): void;
  /** Days before today, as keys. */
  day(before: number): string;
}

/** Of the last ten days the third has a file that is wrong, and the fifth none. */
export async function openSite(): Promise<Site> {
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
  };
  const orca = async (...words: string[]) => {
    const { code, stdout, stderr } = await callOrca(words, { env });
    if (code !== 0) throw new Error(`orca ${words.join(" ")}: ${stderr}`);
    return stdout;
  };
  const put = (name: string, text: string | undefined) =>
    text === undefined ? rmSync(path.join(inbox, name), { force: true }) : writeFileSync(path.join(inbox, name), text);
  const day = (before: number) => new Date(Date.now() - before * 86_400_000).toISOString().slice(0, 10);
  for (let before = 1; before <= 10; before++)
    if (before !== 5) put(`${day(before)}.txt`, before === 3 ? "1\ntwo\n" : "100\n250\n");
  for (const name of ["orders", "monthly"]) {
    const out = path.join(work.path, name);
    await orca("build", path.join(fixtures, `${name}.ts`), "-o", out, "--no-check");
    await orca("register", out);
  }
  await orca("backfill", "orders", `${day(10)}..${day(1)}`);
  await orca("tick", "--wait");
  const scheduler = start(process.execPath, [orcaProgram, "scheduler"], { env });
  const ui = start(process.execPath, [orcaProgram, "ui"], { env });
  await Promise.all([scheduler.printed("scheduling"), ui.printed("Ctrl-C")]);
  return {
    url: /http:\/\/[\d.]+:\d+/.exec(ui.printedSoFar())![0],
    test,
    orca,
    put,
    day,
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
