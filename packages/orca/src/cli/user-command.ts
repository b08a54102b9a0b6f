/** `orca user`: who may act in the UI. */
import type { Command } from "commander";
import { actor } from "./actor.ts";
import { warningsOf, type Terminal } from "./command-line.ts";
import type { OpenDatabase } from "./database.ts";
import { environmentOf, variablesHelp } from "./environment.ts";
import { needsDatabase } from "./run-command.ts";
import { counted } from "./run-report.ts";

export function addUserCommands(orca: Command, terminal: Terminal): void {
  const user = orca.command("user").description("who may act in the UI");
  const subcommand = (name: string, description: string) =>
    user
      .command(name)
      .description(description)
      .addHelpText("after", variablesHelp(["ORCA_DATABASE_URL"]));
  const ofUser = (name: string, description: string, act: (open: OpenDatabase, name: string) => Promise<string>) =>
    subcommand(name, description)
      .argument("<name>", "the user's")
      .action(async (given: string) => {
        await using open = await openFor(terminal);
        terminal.stdout.write(`${await act(open, given)}\n`);
      });

  ofUser("add", "let someone log in, with a password from standard input", async ({ database }, name) => {
    const { addUser } = await import("../state/users.ts");
    await addUser(database, { name, password: await passwordFor(name, terminal), actor: actor() });
    return `${name} may log in`;
  });
  ofUser("passwd", "give a user another password, from standard input", async ({ database }, name) => {
    const { changePassword } = await import("../state/users.ts");
    const ended = await changePassword(database, { name, password: await passwordFor(name, terminal), actor: actor() });
    return `${name} has another password${alsoEnded(ended)}`;
  });
  ofUser("remove", "have a user log in no more", async ({ database }, name) => {
    const { removeUser } = await import("../state/users.ts");
    return `${name} isn't a user any more${alsoEnded(await removeUser(database, { name, actor: actor() }))}`;
  });
  subcommand("list", "show the users")
    .option("--json", "write them as JSON")
    .action(async ({ json }: { json?: true }) => {
      await using open = await openFor(terminal);
      const { listUsers } = await import("../state/users.ts");
      const users = await listUsers(open.database);
      const lines = users.map(
        ({ name, sessions }) => `${name}${sessions === 0 ? "" : `: ${counted(sessions, "session")}`}`,
      );
      const text = users.length === 0 ? "no users" : lines.join("\n");
      terminal.stdout.write(`${json === true ? JSON.stringify(users, undefined, 2) : text}\n`);
    });
}

function alsoEnded(sessions: number): string {
  return sessions === 0 ? "" : `, and ${counted(sessions, "session")} of theirs ${sessions === 1 ? "is" : "are"} ended`;
}

async function passwordFor(name: string, terminal: Terminal): Promise<string> {
  const { readPassword } = await import("./password-input.ts");
  return await readPassword(process.stdin, terminal.stderr, `password for ${name}`);
}

/** The database, made if it is an embedded one that isn't there. */
async function openFor(terminal: Terminal): Promise<OpenDatabase> {
  const environment = environmentOf(terminal);
  const { openDatabase } = await import("./database.ts");
  return await openDatabase(needsDatabase(environment), environment, warningsOf(terminal), { make: true });
}
