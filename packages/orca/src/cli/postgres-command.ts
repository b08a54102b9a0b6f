/** `orca postgres`: the Postgres that is Orca's own, in a folder. */
import { resolve } from "node:path";
import type { Command } from "commander";
import { OrcaError } from "../core/errors.ts";
import type { Terminal } from "./command-line.ts";
import { environmentOf, variablesHelp, type Environment } from "./environment.ts";
import { counted } from "./run-report.ts";

/** Adds the commands. @param folder what relative paths are relative to. */
export function addPostgresCommands(orca: Command, terminal: Terminal, folder: string): void {
  const postgres = orca.command("postgres").description("a Postgres of Orca's own, in a folder");
  const subcommand = (name: string, description: string, act: (home: string, isJson: boolean) => Promise<void>) =>
    postgres
      .command(name)
      .description(description)
      .argument("[folder]", "where it is (default: the one that ORCA_DATABASE_URL names)")
      .option("--json", "write the result as JSON")
      .addHelpText("after", variablesHelp(["ORCA_DATABASE_URL"]))
      .action(async (given: string | undefined, options: { json?: true }) => {
        await act(resolve(folder, given ?? folderIn(environmentOf(terminal))), options.json === true);
      });
  const write = (isJson: boolean, json: object, text: string) =>
    terminal.stdout.write(`${isJson ? JSON.stringify(json, undefined, 2) : text}\n`);

  subcommand("start", "start it, and keep it until it is stopped", async (home, isJson) => {
    const { keepServer } = await import("../postgres/control.ts");
    const { url, users } = await keepServer(home);
    write(isJson, { url, users }, url);
  });
  subcommand("stop", "stop it, also if it is used", async (home, isJson) => {
    const { stopServer } = await import("../postgres/control.ts");
    const users = await stopServer(home);
    const lost = users ? `, which ${counted(users, "user")} had` : "";
    const text = users === undefined ? `no server runs in ${home}` : `stopped the server in ${home}${lost}`;
    write(isJson, { stopped: users !== undefined, users: users ?? 0 }, text);
  });
  subcommand("url", "show the URL of the one that runs", async (home, isJson) => {
    const { serverState } = await import("../postgres/control.ts");
    const state = await serverState(home);
    if (state === undefined)
      throw new OrcaError("embedded-postgres", `no server runs in ${home}: start it with orca postgres start ${home}`);
    write(isJson, { url: state.url, users: state.users }, state.url);
  });
}

function folderIn({ ORCA_DATABASE_URL }: Environment): string {
  if (ORCA_DATABASE_URL?.kind === "embedded") return ORCA_DATABASE_URL.folder;
  throw new OrcaError("usage", "no folder is named: give one, or set ORCA_DATABASE_URL=embedded:<folder>");
}
