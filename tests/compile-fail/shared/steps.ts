// Steps that the cases put into pipelines and follow.
import { gather, mapped, Month } from "orcajs";

export const days = mapped("days", async (_ctx, month: Month) => ({ month, days: Month.days(month).length }));
export const measure = mapped("measure", { after: days }, async (_ctx, m) => ({ ...m, hours: m.days * 24 }));
export const total = gather("total", { after: measure }, async (_ctx, ms) => ms.length);
