/** One run: what failed before anything else, its steps by partition, its time line, what it read and made, and who did what to it. */
import { idFrom } from "../query.ts";
import type { Frame } from "../look/frame.ts";
import type { Shown } from "../look/shell.tsx";
import { view } from "../view.ts";
import { EmptyDrawer } from "./attempt/drawer.tsx";
import { RunDialogs } from "./run/actions.tsx";
import { readRunData, type RunData } from "./run/data.ts";
import { RunTop } from "./run/head.tsx";
import { Actions, Snapshots } from "./run/records.tsx";
import { StepsSection } from "./run/steps.tsx";
import { TimelineSection } from "./run/timeline.tsx";
import { WhatFailed } from "./run/what-failed.tsx";

export const runView = view({
  path: "/runs/:run",
  read: (asked) => readRunData(asked, idFrom(asked.part("run"), "run")),
  show: (data, frame) => ({ title: `Run ${data.run.id} of ${data.run.pipeline}`, ...shownRun(data, frame) }),
});

/** A run's page, also where an attempt of it is open beside it. */
export function shownRun(data: RunData, frame: Frame): Omit<Shown, "title"> {
  const { run, records } = data;
  const given = { run: run.id, records, frame };
  return {
    at: "Runs",
    live:
      run.endedAt === null
        ? {
            topics: [`run:${run.id}`, `steps:${run.pipeline}:${run.id}`],
            words: "Live: changes arrive as they happen",
          }
        : undefined,
    after: <EmptyDrawer />,
    main: (
      <>
        <RunTop data={data} frame={frame} />
        <WhatFailed data={data} frame={frame} />
        <Contents data={data} />
        <StepsSection data={data} frame={frame} />
        <TimelineSection data={data} frame={frame} />
        <Snapshots {...given} />
        <Actions {...given} />
        <RunDialogs run={run} running={data.counts.running} />
      </>
    ),
  };
}

function Contents({ data: { records, run } }: { readonly data: RunData }) {
  const links: readonly (readonly [id: string, name: string, count?: number])[] = [
    ["steps", "Steps"],
    ...(run.startedAt === null ? [] : [["timeline", "Timeline"] as const]),
    ["read", "Snapshots read", records.reads.length],
    ["made", "Snapshots made", records.commits.length],
    ["actions", "Actions", records.actions.length],
  ];
  return (
    <nav class="toc" aria-label="On this page">
      {links.map(([id, name, count]) => (
        <a href={`#${id}`}>
          {name} {count !== undefined && <b>{count}</b>}
        </a>
      ))}
    </nav>
  );
}
