/** `npm run check`: everything that is checked without running the code, all at once. Prints what failed, and exits 1 if anything did. */
import { spawn } from "node:child_process";
import { availableParallelism } from "node:os";

interface Check {
  readonly name: string;
  readonly command: readonly [program: string, ...words: string[]];
}

// the longest first
const CHECKS: readonly Check[] = [
  { name: "package types (orcajs)", command: ["attw", "--pack", "packages/orca", "--profile", "esm-only"] },
  { name: "package types (dista)", command: ["attw", "--pack", "packages/dista", "--profile", "esm-only"] },
  { name: "package types (objectstore)", command: ["attw", "--pack", "packages/objectstore", "--profile", "esm-only"] },
  { name: "package (orcajs)", command: ["publint", "--strict", "packages/orca"] },
  { name: "package (dista)", command: ["publint", "--strict", "packages/dista"] },
  { name: "package (objectstore)", command: ["publint", "--strict", "packages/objectstore"] },
  { name: "package types (iceberg)", command: ["attw", "--pack", "packages/iceberg", "--profile", "esm-only"] },
  { name: "package (iceberg)", command: ["publint", "--strict", "packages/iceberg"] },
  { name: "dead code", command: ["knip"] },
  { name: "types", command: ["tsc", "-p", "tsconfig.json"] },
  { name: "lint", command: ["oxlint", "--type-aware", "--deny-warnings"] },
  { name: "format", command: ["oxfmt", "--check"] },
];

const queue = [...CHECKS];
let failures = 0;
await run({ name: "build", command: ["npm", "run", "--silent", "build"] });
await Promise.all(
  Array.from({ length: availableParallelism() }, async () => {
    for (let check = queue.shift(); check !== undefined; check = queue.shift()) await run(check);
  }),
);
console.log(failures === 0 ? `${CHECKS.length} checks passed` : `${failures} of ${CHECKS.length} checks failed`);
process.exitCode = failures === 0 ? 0 : 1;

async function run({ name, command: [program, ...words] }: Check): Promise<void> {
  const startedAt = performance.now();
  const child = spawn(program, words, { stdio: ["ignore", "pipe", "pipe"] });
  const output: Buffer[] = [];
  child.stdout.on("data", (data: Buffer) => output.push(data));
  child.stderr.on("data", (data: Buffer) => output.push(data));
  const code = await new Promise<number | null>((resolve, reject) => child.on("close", resolve).on("error", reject));
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
  console.log(`${code === 0 ? "passed" : "FAILED"}  ${name} (${seconds} s)`);
  if (code === 0) return;
  failures++;
  console.log(Buffer.concat(output).toString());
}
