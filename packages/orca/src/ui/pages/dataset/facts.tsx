/** What is known of a dataset. */
import { Two } from "../../look/two.tsx";
import { pipelineHref } from "../../look/addresses.ts";
import { Facts } from "../../look/section.tsx";
import { Name } from "../../look/name.tsx";
import { atLeast, bytes, num } from "../../look/text.ts";
import type { DatasetPage } from "./read-dataset.ts";
import { fieldWords } from "./schema.tsx";

export function DatasetFactsList({ page }: { readonly page: DatasetPage }) {
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
              <Two
                first={num(rows)}
                second={
                  newest !== undefined && newest.rowsAdded !== null && `+${num(newest.rowsAdded)} in the last snapshot`
                }
              />,
            ],
        table === null || table.fileCount === null
          ? undefined
          : ["Files", <Two first={num(table.fileCount)} second={table.bytes !== null && bytes(table.bytes)} />],
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
