/** The first rows, as they were read last, and the button that has them read. */
import { datasetHref } from "../../look/addresses.ts";
import { Say, Section } from "../../look/section.tsx";
import { ago, num, took } from "../../look/text.ts";
import { Time } from "../../look/time.tsx";
import { PreviewTable } from "./preview-table.tsx";
import type { DatasetPage } from "./read-dataset.ts";

export function PreviewSection({
  page: { name, preview },
  now,
  canRead,
}: {
  readonly page: DatasetPage;
  readonly now: Date;
  readonly canRead: boolean;
}) {
  const table = preview?.table ?? null;
  return (
    <Section
      id="preview"
      title="Preview"
      note={
        table !== null && (
          <>
            {table.rows.length}
            {table.rowCount !== null && ` of ${num(table.rowCount)}`} rows of the snapshot that was the newest then,
            read <Time at={preview!.at} now={now} words={ago(preview!.at, now)} /> in {took(preview!.tookMs)}
            {table.columnCount > table.columns.length && `; ${table.columns.length} of ${table.columnCount} columns`}
          </>
        )
      }
      tools={
        canRead && (
          <form method="post" action={datasetHref(name, "preview")}>
            <button class="btn">{preview === null ? "Read the first rows" : "Read again"}</button>
          </form>
        )
      }
    >
      {table !== null && <PreviewTable table={table} />}
      {preview !== null && preview.error !== null && (
        <Say tone="warn">
          <div>{preview.error}</div>
        </Say>
      )}
      {preview === null && <p class="dim">{canRead ? "Not read yet." : "This server reads no tables."}</p>}
    </Section>
  );
}
