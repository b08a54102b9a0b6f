/** Programs that take JSON and print JSON. */
import { spawnSync } from "node:child_process";
import { type Json, stringifyJson } from "@orcajs/iceberg";

/**
 * What a program prints.
 * @throws Error with what it said, if it failed.
 */
export function run(program: string, words: readonly string[], input = ""): string {
  const { status, stdout, stderr, error } = spawnSync(program, words, {
    input,
    encoding: "utf8",
    maxBuffer: 2 ** 30,
    env: { ...process.env, PYTHONDONTWRITEBYTECODE: "1" },
  });
  if (status !== 0) throw new Error(`${program} … ${words.at(-1)} failed: ${error?.message ?? stderr}`);
  return stdout;
}

/** What a program prints as JSON, given JSON, with integers of 64 bits exact. */
export function runJson(program: string, words: readonly string[], input: unknown): Json {
  return JSON.parse(run(program, words, stringifyJson(input))) as Json;
}
