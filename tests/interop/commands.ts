/** Programs that take JSON and print JSON. */
import { spawnSync } from "node:child_process";
import type { Json } from "@orcajs/iceberg";

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
  if (status !== 0) throw new Error(`${[program, ...words].join(" ")}: ${error?.message ?? stderr}`);
  return stdout;
}

/** What a program prints as JSON, given JSON: with -0, which JSON.stringify makes 0 of. */
export function runJson(program: string, words: readonly string[], input: unknown): Json {
  const text = JSON.stringify(input, (_, value: unknown) => (Object.is(value, -0) ? JSON.rawJSON("-0.0") : value));
  return JSON.parse(run(program, words, text)) as Json;
}
