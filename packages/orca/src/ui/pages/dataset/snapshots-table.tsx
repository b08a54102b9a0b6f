import { runHref } from "../../look/addresses.ts";
import type { SnapshotRow } from "../../../state/pages/dataset.ts";
import { Name } from "../../look/name.tsx";
import { num } from "../../look/text.ts";
import { Time } from "../../look/time.tsx";

/** Snapshots that runs have made, the newest first. */
export function SnapshotsTable({ snapshots, now }: { readonly snapshots: readonly SnapshotRow[]; readonly now: Date }) {
  return (
    <table class="tbl cards" data-list>
      <thead>
        <tr>
          <th scope="col">Snapshot</th>
          <th scope="col">Committed</th>
          <th scope="col">Operation</th>
          <th scope="col" class="n">
            Rows
          </th>
          <th scope="col" class="n">
            Total
          </th>
          <th scope="col">Made by</th>
          <th scope="col">Code</th>
        </tr>
      </thead>
      <tbody>
        {snapshots.map((row) => (
          <tr>
            <th scope="row" class="mono wide">
              <a href={`?snapshot=${row.snapshot}#lineage`}>
                <Name text={row.snapshot} tail={6} />
              </a>
            </th>
            <td>
              <Time at={row.at} now={now} />
            </td>
            <td>{row.operation}</td>
            <td class="n" data-l="Rows">
              {row.rowsAdded === null ? <span class="dim">unknown</span> : `+${num(row.rowsAdded)}`}
            </td>
            <td class="n" data-l="Total">
              {row.rowsTotal === null ? <span class="dim">unknown</span> : num(row.rowsTotal)}
            </td>
            <td>
              <a href={runHref(row.run)}>run {row.run}</a>, {row.partition === "" ? row.step : row.partition}
            </td>
            <td class="mono gone">{row.commit === null ? <span class="dim">unknown</span> : row.commit.slice(0, 7)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
