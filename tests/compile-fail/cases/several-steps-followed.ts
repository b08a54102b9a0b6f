// A step that follows several takes a tuple of what it would take after each.
import { gather, mapped, type Month } from "orcajs";
import { days, measure, total } from "../shared/steps.ts";

mapped("m", { after: [days, measure] }, async (_ctx, [d, m]) => d.days + m.hours); // fine
gather("g", { after: [measure, total] }, async (_ctx, [ms, n]) => ms.map((m) => m.hours * n)); // fine
// tsc: Property 'hours' does not exist on type '{ month: Month; days: number; }'
mapped("m", { after: [days, measure] }, async (_ctx, [d]) => d.hours);
// tsc: Property 'hours' does not exist on type '{ month: Month; days: number; hours: number; }[]'
gather("g", { after: [measure, total] }, async (_ctx, [ms]) => ms.hours);
// tsc: Tuple type '[{ month: Month; days: number; }, { month: Month; days: number; hours: number; }]' of length '2' has no element at index '2'
mapped("m", { after: [days, measure] }, async (_ctx, [d, _m, more]) => [d, more]);
// tsc: Types of parameters 'd' and 'outputOfStepFollowed' are incompatible
mapped("m", { after: [days, measure] }, async (_ctx, d: { month: Month }) => d.month);
