import { DISTA_ERRORS, DistaError, type DistaErrorCode } from "@orcajs/dista";
import { describe, expect, it } from "vitest";
import { ERRORS, EXIT, OrcaError, type ErrorCode } from "../core/errors.ts";
import { commandNamed, runWords, type Terminal } from "./command-line.ts";

/** How a command exits whose action throws that, and what it writes. */
async function endOf(thrown: unknown): Promise<{ readonly exit: number; readonly said: string }> {
  let said = "";
  const terminal = { stderr: { write: (text: string) => (said += text) } } as unknown as Terminal;
  const command = commandNamed("c").action(() => {
    throw thrown;
  });
  return { exit: await runWords(command, [], terminal), said };
}

describe("a command that meets", () => {
  it.each(Object.keys(ERRORS) as ErrorCode[])("%s exits as the table of errors says", async (code) => {
    const exit = EXIT[ERRORS[code].exit];
    expect(await endOf(new OrcaError(code, "it is wrong"))).toEqual({ exit, said: "error: it is wrong\n" });
  });

  it.each(Object.keys(DISTA_ERRORS) as DistaErrorCode[])("%s of dista's exits with 1 or 2", async (code) => {
    const exit = code === "invalid-task" ? EXIT.usage : EXIT.failed;
    expect(await endOf(new DistaError(code, "it is wrong"))).toEqual({ exit, said: "error: it is wrong\n" });
  });

  it("another error, or what is none, exits with 1 and what it says", async () => {
    expect(await endOf(new TypeError("x is undefined"))).toEqual({ exit: 1, said: "error: x is undefined\n" });
    expect(await endOf("a text")).toEqual({ exit: 1, said: "error: a text\n" });
  });

  it("a mistake at a place in a file says the place first, for editors", async () => {
    const said = "lake.ts:3:1: it is wrong\n";
    expect(await endOf(new OrcaError("build-failed", said.trim()))).toEqual({ exit: EXIT.usage, said });
  });
});
