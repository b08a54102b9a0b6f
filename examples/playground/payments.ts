// One that fails: a month's file has a mistake. Its error says where; correct the file, resume the run, and watch it go on.
import { readFile } from "node:fs/promises";
import path from "node:path";
import { gather, mapped, Month, monthly, pipeline } from "orcajs";
import { firstDay } from "./datasets.ts";

interface Payment {
  readonly customer: string;
  readonly cents: number;
}

export const read = mapped("read", async (ctx, month: Month) => {
  const file = path.join(process.env["PLAYGROUND_INBOX"] ?? "inbox", `${month}.csv`);
  const lines = (await readFile(file, "utf8")).trimEnd().split("\n").slice(1);
  const payments = lines.map((line, n) => paymentFrom(line, `${file}, line ${n + 2}`));
  ctx.log(`${payments.length} payments in ${file}`);
  return payments;
});

export const added = mapped("added", { after: read }, async (_ctx, payments) =>
  payments.reduce((sum, { cents }) => sum + cents, 0),
);

export const balance = gather("balance", { after: added }, async (ctx, months) => {
  const cents = months.reduce((sum, month) => sum + month, 0);
  ctx.log(`${(cents / 100).toFixed(2)} in ${months.length} months`);
  return cents;
});

function paymentFrom(line: string, place: string): Payment {
  const [customer = "", amount = ""] = line.split(";");
  if (!/^\d+\.\d\d$/.test(amount)) throw new Error(`${place}: the amount is '${amount}': write it as 12.50`);
  return { customer, cents: Math.round(Number(amount) * 100) };
}

export default pipeline("payments", {
  steps: [read, added, balance],
  partitions: monthly(Month(firstDay.slice(0, 7))),
});
