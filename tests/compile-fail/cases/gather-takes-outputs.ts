// A gather step takes an array of a mapped step's outputs, or a gather step's output.
import { gather, type Month } from "orcajs";
import { measure, total } from "../shared/steps.ts";

gather("g", { after: measure }, async (_ctx, ms) => ms.map((m) => m.hours)); // fine
gather("g", { after: total }, async (_ctx, n) => n + 1); // fine
// tsc: Type '{ month: Month; days: number; hours: number; }[]' is missing the following properties
gather("g", { after: measure }, async (_ctx, m: { month: Month; days: number }) => m.days);
// tsc: Type 'number' is not assignable to type 'number[]'
gather("g", { after: total }, async (_ctx, ns: number[]) => ns.length);
