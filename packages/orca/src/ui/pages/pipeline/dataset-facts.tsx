/** The datasets that a pipeline reads, writes and is started by. */
import { datasetHref } from "../../look/addresses.ts";
import { Time } from "../../look/time.tsx";
import type { PipelineData } from "./read.ts";

export function SensorFact({
  data: { steps, partitions, seen },
  now,
}: {
  readonly data: PipelineData;
  readonly now: Date;
}) {
  const written = new Set(steps.flatMap((step) => step.writes));
  const read = [...new Set(steps.flatMap((step) => step.reads))].filter((name) => !written.has(name));
  const last = seen?.find((row) => row.started.length > 0);
  return (
    <>
      {partitions.kind === "keyed" ? (
        <>
          When <DatasetLink name={partitions.dataset} /> has new names
        </>
      ) : (
        <>
          When <Datasets names={read} join=" or " /> {read.length === 1 ? "gets" : "get"} a new snapshot
        </>
      )}
      <br />
      <small>
        sensor
        {last && (
          <>
            ; last <Time at={last.seenAt} now={now} />
          </>
        )}
      </small>
    </>
  );
}

export function DataFact({ data: { steps } }: { readonly data: PipelineData }) {
  const reads = [...new Set(steps.flatMap((step) => step.reads))];
  const writes = [...new Set(steps.flatMap((step) => step.writes))];
  if (reads.length + writes.length === 0) return <>None</>;
  return (
    <>
      {reads.length > 0 && (
        <>
          reads <Datasets names={reads} />
        </>
      )}
      {reads.length > 0 && writes.length > 0 && <br />}
      {writes.length > 0 && (
        <small>
          writes <Datasets names={writes} />
        </small>
      )}
    </>
  );
}

const DATASETS_MAX = 6;

function Datasets({ names, join = ", " }: { readonly names: readonly string[]; readonly join?: string }) {
  const more = names.length - DATASETS_MAX;
  return (
    <>
      {names.slice(0, DATASETS_MAX).map((name, place) => (
        <>
          {place > 0 && join}
          <DatasetLink name={name} />
        </>
      ))}
      {more > 0 && ` and ${more} more`}
    </>
  );
}

export function DatasetLink({ name }: { readonly name: string }) {
  return <a href={datasetHref(name)}>{name}</a>;
}
