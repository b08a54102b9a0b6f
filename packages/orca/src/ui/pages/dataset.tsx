/** A dataset: where its rows come from and go, its snapshots, its columns and its first rows. */
import { datasetHref } from "../look/addresses.ts";
import type { Frame } from "../look/frame.ts";
import { LogIn } from "../look/log-in.tsx";
import { Crumb, Head, Section } from "../look/section.tsx";
import { Time } from "../look/time.tsx";
import { view } from "../view.ts";
import { readDataset, type DatasetPage } from "./dataset/read-dataset.ts";
import { RowsChart } from "./dataset/rows-chart.tsx";
import { SchemaTable } from "./dataset/schema.tsx";
import { DatasetFactsList } from "./dataset/facts.tsx";
import { LineageSection } from "./dataset/lineage-section.tsx";
import { SnapshotsSection } from "./dataset/snapshots-section.tsx";
import { PreviewSection } from "./dataset/preview-section.tsx";

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
