/** The files that the payments pipeline reads: one a month, and one of them with a mistake. */
import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { Month } from "orcajs";
import { firstDay } from "../../examples/playground/datasets.ts";

const PAYMENTS = 40;
/** The month with the mistake, counted from the first. */
const MISTAKEN = 3;

export function fillInbox(folder: string): void {
  mkdirSync(folder, { recursive: true });
  const first = Month(firstDay.slice(0, 7));
  const now = Month(new Date().toISOString().slice(0, 7));
  for (const [place, month] of Month.range(first, now).entries()) {
    const lines = Array.from({ length: PAYMENTS }, (_, n) => `customer-${n + 1};${(n * 7.25 + place).toFixed(2)}`);
    if (place === MISTAKEN) lines[16] = lines[16]!.replace(".", ",");
    writeFileSync(path.join(folder, `${month}.csv`), `customer;amount\n${lines.join("\n")}\n`);
  }
}
