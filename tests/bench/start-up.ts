/** What a built pipeline costs before it does anything, and what building it costs. */
import path from "node:path";
import { row, timeCommands } from "./measure.ts";

const orca = path.resolve(import.meta.dirname, "../../packages/orca/bin/orca.js");
const ingest = path.resolve(import.meta.dirname, "../../examples/flights/ingest.ts");

/** @param out where the pipeline that takes in flights is built. */
export function benchStartUp(out: string, rounds: number): readonly string[] {
  const [build, unchecked] = timeCommands(
    [
      [process.execPath, orca, "build", ingest, "-o", out],
      [process.execPath, orca, "build", ingest, "-o", out, "--no-check"],
    ],
    Math.ceil(rounds / 4),
  );
  const [bare, describe] = timeCommands(
    [
      [process.execPath, "-e", ""],
      [out, "describe"],
    ],
    rounds,
  );
  return [
    "start-up, whole processes",
    row("node -e ''", bare!),
    row("describe of the built example flights/ingest", describe!),
    `  beyond Node's own start: ${(describe!.median - bare!.median).toFixed(0)} ms`,
    row("orca build examples/flights/ingest.ts", build!),
    row("orca build --no-check", unchecked!),
  ];
}
