// A mapped step takes the output of the step that it follows.
import { mapped, type Month } from "orcajs";
import { days } from "../shared/steps.ts";

mapped("m", { after: days }, async (_ctx, m) => m.days); // fine
mapped("m", { after: days }, async (_ctx, m: { month: Month; days: number }) => m.days); // fine
// tsc: Property 'weeks' is missing in type '{ month: Month; days: number; }' but required in type '{ month: Month; weeks: number; }'
mapped("m", { after: days }, async (_ctx, m: { month: Month; weeks: number }) => m.weeks);
// tsc: Property 'weeks' does not exist on type '{ month: Month; days: number; }'
mapped("m", { after: days }, async (_ctx, m) => m.weeks);
