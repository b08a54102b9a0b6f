import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, expect, it } from "vitest";
import { readRegistry } from "./registry.ts";

const folder = mkdtempSync(join(tmpdir(), "orca-registry-prop-"));
afterAll(() => rmSync(folder, { recursive: true }));

/** A value of the program: it is made of a number and of values before it, in one of the ways below, in one of three modules. */
interface Part {
  readonly kind: number;
  readonly module: number;
  readonly uses: readonly number[];
}

type Write = (name: string, number: number, used: string) => string;

/** What only makes a value. */
const PURE: readonly Write[] = [
  (name, n, used) => `export function ${name}() { return [${n}, ${used}]; }`,
  (name, n, used) => `export const ${name} = (x) => [x, ${n}, ${used}];`,
  (name, n, used) => `export const ${name} = { n: ${n}, used: [${used}] };`,
  (name, n, used) => `export const ${name} = new Map([[${n}, [${used}]]]);`,
  (name, n, used) => `export class ${name} { static n = ${n}; m() { return [${used}]; } }`,
  (name, n, used) =>
    `function make_${name}(x) { return { x, n: ${n} }; } export const ${name} = make_${name}([${used}]);`,
];

/** What may change something when it is loaded. */
const IMPURE: readonly Write[] = [
  (name, n, used) => `export const ${name} = make(${n}, [${used}]);`,
  (name, n, used) => `export const ${name} = []; ${name}.push(${n}, ${used});`,
  (name, n, used) => `export let ${name}; if (globalThis.process) ${name} = [${n}, ${used}];`,
  (name, n, used) => `export namespace ${name} { export const n = ${n}; export const used = [${used}]; }`,
  (name, n, used) => `export const ${name} = new Map(); for (const x of [${n}, ${used}]) ${name}.set(x, ${n});`,
  (name, n, used) =>
    `export const ${name} = {}; function fill_${name}() { ${name}.n = [${n}, ${used}]; } fill_${name}();`,
];

const program = fc.array(
  fc.record({ kind: fc.nat(100), module: fc.nat(2), uses: fc.array(fc.nat(100), { maxLength: 2 }) }),
  { minLength: 2, maxLength: 9 },
);
const steps = fc.array(fc.array(fc.nat(100), { minLength: 1, maxLength: 2 }), { minLength: 2, maxLength: 4 });

it("a step's hash changes with all that it reaches", async () => {
  await fc.assert(
    fc.asyncProperty(program, steps, fc.nat(100), async (parts, uses, at) => {
      const { reaching, changed } = await change(parts, uses, at, [...PURE, ...IMPURE]);
      expect(changed).toEqual(expect.arrayContaining(reaching));
    }),
    { numRuns: 60 },
  );
});

it("a step's hash changes with nothing else, where nothing is changed when it is loaded", async () => {
  await fc.assert(
    fc.asyncProperty(program, steps, fc.nat(100), async (parts, uses, at) => {
      const { reaching, changed } = await change(parts, uses, at, PURE);
      expect(changed).toEqual(reaching);
    }),
    { numRuns: 60 },
  );
});

/** Changes the number of one part: which steps reach that part, and which steps' hashes change. */
async function change(
  parts: readonly Part[],
  uses: readonly (readonly number[])[],
  at: number,
  kinds: readonly Write[],
) {
  const used = parts.map((part, i) => (i === 0 ? [] : part.uses.map((use) => use % i)));
  const used2 = uses.map((of) => of.map((use) => use % parts.length));
  const part = at % parts.length;
  const reaches = (i: number): boolean => i === part || used[i]!.some(reaches);
  const reaching = used2.flatMap((of, i) => (of.some(reaches) ? [`s${i}`] : []));
  const hashesOf = async (number: number) => {
    const file = write(parts, used, used2, (i) => (i === part ? number : i), kinds);
    return (await readRegistry({ file })).registry;
  };
  const [before, after] = [await hashesOf(1000), await hashesOf(2000)];
  expect(before.complete).toBe(true);
  const changed = after.steps.flatMap((s, i) => (s.hash === before.steps[i]!.hash ? [] : [s.name]));
  return { reaching, changed };
}

let programs = 0;
function write(
  parts: readonly Part[],
  used: readonly (readonly number[])[],
  stepsUse: readonly (readonly number[])[],
  numberOf: (part: number) => number,
  kinds: readonly Write[],
): string {
  const at = join(folder, String(++programs));
  mkdirSync(at);
  // a module imports all others: those that aren't loaded yet are only used by functions, or the program wouldn't run; it is only read
  const importsOf = (module: number) => {
    const names = (m: number) => parts.flatMap((p, i) => (p.module === m ? [`v${i}`] : []));
    return [0, 1, 2].flatMap((m) =>
      m === module || names(m).length === 0 ? [] : [`import { ${names(m).join(", ")} } from "./m${m}.ts";`],
    );
  };
  for (const module of [0, 1, 2]) {
    const lines = parts.flatMap((p, i) =>
      p.module === module
        ? [kinds[p.kind % kinds.length]!(`v${i}`, numberOf(i), used[i]!.map((u) => `v${u}`).join(", "))]
        : [],
    );
    writeFileSync(
      join(at, `m${module}.ts`),
      [`import { make } from "maker";`, ...importsOf(module), ...lines].join("\n"),
    );
  }
  const file = join(at, "pipeline.ts");
  const code = stepsUse.map((of, i) => `mapped("s${i}", async () => [${of.map((u) => `v${u}`).join(", ")}])`);
  const head = `import { mapped, monthly, pipeline } from "orcajs";`;
  const tail = `export default pipeline("p", { steps: [${code.join(", ")}], partitions: monthly("2024-01") });`;
  writeFileSync(file, [head, ...importsOf(-1), tail].join("\n"));
  return file;
}
