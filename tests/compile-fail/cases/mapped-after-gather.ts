// A mapped step can't follow a gather step.
import { gather, mapped } from "orcajs";
import { days, total } from "../shared/steps.ts";

mapped("m", { after: days }, async (_ctx, d) => d.days); // fine
gather("g", { after: [days, total] }, async (_ctx, [ds, n]) => ds.length + n); // fine
// error: a mapped step can't follow a gather step, and 'total' is one
mapped("m", { after: total }, async (_ctx, n) => n);
// error: a mapped step can't follow a gather step, and 'total' is one
mapped("m", { after: [days, total] }, async (_ctx, [d]) => d);
