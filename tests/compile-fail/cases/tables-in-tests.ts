// A test gives its tables rows that fit, and reads rows that are typed.
import { monthly, pipeline } from "orcajs";
import { runInMemory } from "orcajs/testing";
import { days } from "../shared/steps.ts";
import { nested, raw } from "../shared/tables.ts";

const p = pipeline("p", { steps: [days], partitions: monthly("2024-01") });
const partitions = ["2024-01"];
const place = { lat: 1, city: { nam: "x" } };
const run = await runInMemory(p, {
  partitions,
  tables: [
    [
      raw,
      [
        { id: 1, day: "2024-01-31" },
        { id: 2n, day: "2024-01-31", value: null },
      ],
    ], // fine
    ["by.name", [{ x: 1 }]], // fine
  ],
});
const id: bigint | undefined = (await run.rows(raw))[0]?.id; // fine
const output: { days: number } = run.output(days, "2024-01"); // fine
export const named = [id, output, (await run.rows(raw))[0]?.vale]; // tsc: Property 'vale' does not exist
run.output(days); // tsc: Type '"mapped"' is not assignable to type '"gather"'
await runInMemory(p, { partitions, tables: [[raw, [{ id: 1, day: "2024-01-31", value: "x" }]]] }); // tsc: Type 'string' is not assignable to type 'number'
await runInMemory(p, { partitions, tables: [[raw, [{ id: 1 }]]] }); // tsc: Property 'day' is missing
await runInMemory(p, { partitions, tables: [[nested, [{ id: 1, place, tags: [], counts: new Map() }]]] }); // tsc: Property 'name' is missing in type '{ nam: string; }'
await runInMemory(p, { tables: [] }); // tsc: Property 'partitions' is missing
