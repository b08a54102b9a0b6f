/** docs/reference.md, made from the code: `npm run reference` writes it, and a test holds that it is up to date. */
import { writeFileSync } from "node:fs";
import path from "node:path";
import { DISTA_ERRORS, type DistaErrorCode } from "../packages/dista/dist/index.js";
import { orcaCommand } from "../packages/orca/dist/cli/orca-command.js";
import type { Terminal } from "../packages/orca/dist/cli/command-line.js";
import { VARIABLES } from "../packages/orca/dist/cli/environment.js";
import { pipelineCommand } from "../packages/orca/dist/cli/program.js";
import { DISTA_EXITS, ERRORS, EXIT, EXIT_MEANING, type Exit } from "../packages/orca/dist/core/errors.js";

const PAGE = path.resolve(import.meta.dirname, "../docs/reference.md");

/** The page as it should be. */
export function referencePage(): string {
  const terminal = {} as Terminal; // help is made without one
  const commands = [
    orcaCommand(terminal, "."),
    pipelineCommand({ path: "toy", exported: undefined, built: undefined }, terminal),
  ];
  const helps = commands.flatMap(helpsOf);
  return `# Reference

Made from the code by \`npm run reference\`.

## Commands

\`orca\` builds pipelines and runs their files; a built pipeline is a program with commands of its own, here \`toy\`.

${helps.map((help) => `\`\`\`text\n${help.trim()}\n\`\`\``).join("\n\n")}

## Environment

${table(
  ["variable", "type", "default", "meaning"],
  Object.entries(VARIABLES).map(([name, v]) => [`\`${name}\``, v.type, v.default ?? "unset", v.meaning]),
)}

An \`ORCA_…\` variable that isn't in the table is warned about, and a value that isn't of its type is an error.

## Exit codes

${table(
  ["code", "name", "meaning"],
  Object.entries(EXIT).map(([name, code]) => [String(code), name, EXIT_MEANING[name as Exit]]),
)}

## Errors

An \`OrcaError\` has a \`code\`; programs match on it, since messages are for people.

${table(
  ["code", "exit code", "meaning"],
  Object.entries(ERRORS).map(([code, { exit, meaning }]) => [`\`${code}\``, String(EXIT[exit]), meaning]),
)}

A \`DistaError\`, of tasks and of what is stored, has a \`code\` too.

${table(
  ["code", "exit code", "meaning"],
  Object.entries(DISTA_ERRORS).map(([code, meaning]) => [
    `\`${code}\``,
    String(EXIT[DISTA_EXITS[code as DistaErrorCode]]),
    meaning,
  ]),
)}
`;
}

interface Helpful {
  readonly commands: readonly Helpful[];
  helpInformation(): string;
}

/** The help of a command and of those below it, without what is said after it, such as variables. */
function helpsOf(command: Helpful): readonly string[] {
  return [command.helpInformation(), ...command.commands.flatMap(helpsOf)];
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  return [head, head.map(() => "---"), ...rows].map((cells) => `| ${cells.join(" | ")} |`).join("\n");
}

if (import.meta.main) writeFileSync(PAGE, referencePage());
