/** A dataset: where its rows come from and go, its snapshots, its columns and its first rows. */
import type { Child } from "hono/jsx";
import { datasetHref, pipelineHref } from "../look/addresses.ts";
import type { Frame } from "../look/frame.ts";
import { LogIn } from "../look/log-in.tsx";
import { Crumb, Facts, Head, Say, Section } from "../look/section.tsx";
import { Name } from "../look/name.tsx";
import { ago, atLeast, bytes, num, took } from "../look/text.ts";
import { Time } from "../look/time.tsx";
import { view } from "../view.ts";
import { LineageDrawing } from "./dataset/lineage-drawing.tsx";
import { PreviewTable } from "./dataset/preview-table.tsx";
import { readDataset, type DatasetPage } from "./dataset/read-dataset.ts";
import { RowsChart } from "./dataset/rows-chart.tsx";
import { fieldWords, SchemaTable } from "./dataset/schema.tsx";
import { SnapshotsTable } from "./dataset/snapshots-table.tsx";

export const datasetView = view({
  path: "/datasets/:name",
  read: readDataset,
  show(page, frame, { previews }) {
    return {
      title: page.name,
      at: "Datasets",
      ...(page.isBeingWritten && {
        live: { topics: ["run:*"], words: "Live: a run of a pipeline that writes it is going on" },
      }),
      main: <Dataset page={page} frame={frame} canRead={previews.canRead} />,
    };
  },
});

function Dataset({
  page,
  frame,
  canRead,
}: {
  readonly page: DatasetPage;
  readonly frame: Frame;
  readonly canRead: boolean;
}) {
  const { now } = frame;
  const newest = page.snapshots[0];
  return (
    <>
      <Crumb links={[["Datasets", "/datasets"]]} />
      <Head
        title={page.name}
        beside={
          <span class="dim2">
            {newest === undefined ? (
              "No run has committed to it"
            ) : (
              <>
                Newest snapshot <Time at={newest.at} now={now} />
              </>
            )}
          </span>
        }
        actions={
          page.readBy.length > 0 &&
          (frame.mayAct ? (
            <a class="btn" href={datasetHref(page.name, "rebuild")} data-confirm>
              Rebuild what comes after
            </a>
          ) : (
            <LogIn frame={frame} />
          ))
        }
      />
      <DatasetFactsList page={page} />
      <LineageSection page={page} />
      {page.rowsOverTime !== null && (
        <Section id="rows-s" title="Rows over time">
          <RowsChart of={page.rowsOverTime} />
        </Section>
      )}
      <div class="cols-w">
        <div>
          <SnapshotsSection page={page} now={now} />
        </div>
        <div>
          <Section id="schema" title="Schema" note={page.doc ?? undefined}>
            {page.columns === null ? (
              <p class="dim">No pipeline declares its columns.</p>
            ) : (
              <SchemaTable columns={page.columns} partitionBy={page.partitionBy ?? []} />
            )}
          </Section>
        </div>
      </div>
      <PreviewSection page={page} now={now} canRead={canRead} />
    </>
  );
}

function DatasetFactsList({ page }: { readonly page: DatasetPage }) {
  const { snapshots, preview, commits, partitionBy, madeBy, readBy, keysOf, location } = page;
  const newest = snapshots[0];
  const table = preview?.table ?? null;
  const rows = newest?.rowsTotal ?? table?.rowCount ?? null;
  return (
    <Facts
      pairs={[
        rows === null
          ? undefined
          : [
              "Rows",
              <>
                {num(rows)}
                {newest !== undefined && newest.rowsAdded !== null && (
                  <Second>+{num(newest.rowsAdded)} in the last snapshot</Second>
                )}
              </>,
            ],
        table === null || table.fileCount === null
          ? undefined
          : [
              "Files",
              <>
                {num(table.fileCount)}
                {table.bytes !== null && <Second>{bytes(table.bytes)}</Second>}
              </>,
            ],
        ["Commits", commits.count === 0 ? "none by Orca" : atLeast(commits)],
        partitionBy === null || partitionBy.length === 0
          ? undefined
          : ["Partitioned by", <span class="mono">{partitionBy.map(fieldWords).join(", ")}</span>],
        ["Made by", <Pipelines of={madeBy} none="not Orca" />],
        ["Read by", <Pipelines of={readBy} none="nothing" />],
        keysOf.length === 0
          ? undefined
          : [
              "Has the keys of",
              keysOf.map(({ pipeline, column }, place) => (
                <>
                  {place > 0 && ", "}
                  <PipelineLink name={pipeline} /> in <span class="mono">{column}</span>
                </>
              )),
            ],
        location === null
          ? undefined
          : [
              "At",
              <span class="mono">
                <Name text={location} tail={12} />
              </span>,
            ],
      ]}
    />
  );
}

function LineageSection({ page: { lineage, direction } }: { readonly page: DatasetPage }) {
  const of = lineage === null ? "" : `&snapshot=${lineage.snapshot}`;
  const words = { both: "Both ways", back: "Back", forward: "Forward" } as const;
  return (
    <Section
      id="lineage"
      title="Lineage"
      note={`What the snapshot was made from, and what was made from it. A pill is a snapshot, a box is a step of a run.${lineage?.isCut === true ? " There is more than is shown: choose a snapshot to go on from." : ""}`}
      tools={
        lineage !== null && (
          <div class="seg" role="group" aria-label="Direction">
            {(["both", "back", "forward"] as const).map((one) => (
              <a href={`?direction=${one}${of}#lineage`} aria-current={one === direction ? "true" : undefined}>
                {words[one]}
              </a>
            ))}
          </div>
        )
      }
    >
      {lineage === null ? (
        <p class="dim">No run on record has made or read a snapshot of it.</p>
      ) : (
        <LineageDrawing graph={lineage} />
      )}
    </Section>
  );
}

function SnapshotsSection({ page, now }: { readonly page: DatasetPage; readonly now: Date }) {
  const { snapshots, next, commits } = page;
  return (
    <Section id="snapshots" title="Snapshots">
      {snapshots.length === 0 ? (
        <p class="dim">None that a run has made.</p>
      ) : (
        <SnapshotsTable snapshots={snapshots} now={now} />
      )}
      {next !== null && (
        <p class="pager">
          <span>
            {snapshots.length} of {atLeast(commits)} commits
          </span>
          <a class="btn bare" href={`?before=${next}#snapshots`}>
            Older
          </a>
        </p>
      )}
    </Section>
  );
}

function PreviewSection({
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

function Pipelines({ of, none }: { readonly of: DatasetPage["madeBy"]; readonly none: string }) {
  if (of.length === 0) return <span class="dim">{none}</span>;
  return (
    <>
      {of.map(({ pipeline, steps }, place) => (
        <>
          {place > 0 && "; "}
          <PipelineLink name={pipeline} />, {steps.join(", ")}
        </>
      ))}
    </>
  );
}

function PipelineLink({ name }: { readonly name: string }) {
  return <a href={pipelineHref(name)}>{name}</a>;
}

function Second({ children }: { readonly children?: Child }) {
  return (
    <>
      <br />
      <small>{children}</small>
    </>
  );
}
