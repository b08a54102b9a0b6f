/** `sample`: what the machine is doing, a line of JSON at a time, until it is stopped. */
import { setTimeout as sleep } from "node:timers/promises";
import { MachineSampler } from "../runners/machine-sample.ts";
import type { Terminal } from "./command-line.ts";
import type { Environment } from "./environment.ts";
import { onSignals } from "./signals.ts";

export async function sampleCommand({ ORCA_SAMPLE_SECONDS }: Environment, { stdout }: Terminal): Promise<void> {
  const stop = new AbortController();
  using _ = onSignals(() => stop.abort());
  stdout.on("error", () => stop.abort()); // whoever read the lines is gone
  const sampler = new MachineSampler(process.cwd());
  const everyMs = Math.max(ORCA_SAMPLE_SECONDS, 0.1) * 1000;
  while (!stop.signal.aborted) {
    await sleep(everyMs, undefined, { signal: stop.signal }).catch(() => {});
    if (!stop.signal.aborted) stdout.write(`${JSON.stringify(sampler.sample())}\n`);
  }
}
