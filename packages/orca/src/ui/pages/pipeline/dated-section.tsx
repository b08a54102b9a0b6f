/** The days or months of a pipeline, as a calendar to select in. */
import { hrefWith, pipelineHref } from "../../look/addresses.ts";
import { Month } from "../../../core/keys/month.ts";
import type { KeyRow } from "../../../state/pages/key-facts.ts";
import { KEY_STATES } from "../../../state/pages/key-states.ts";
import { DayCalendar, MonthCalendar, type GridGiven } from "../../drawings/calendar.tsx";
import type { Frame } from "../../look/frame.ts";
import { KeyMark, Legend, shownState } from "../../look/partition-state.tsx";
import { Section } from "../../look/section.tsx";
import { dayWords, monthWords } from "../../look/text.ts";
import type { Query } from "../../query.ts";
import { ActionBar } from "./action-bar.tsx";
import type { DatedKeys } from "./dated.ts";
import type { PipelineData } from "./read.ts";
import { StepChoice } from "./step-choice.tsx";
import { selectedOf, focusOf, within, rangesOf } from "./key-selection.ts";
import { Periods } from "./periods.tsx";

export function DatedSection({
  data,
  dated,
  frame,
  query,
}: {
  readonly data: PipelineData;
  readonly dated: DatedKeys;
  readonly frame: Frame;
  readonly query: Query;
}) {
  const { name, step } = data;
  const { keys, counts, kind } = dated;
  const state = query.oneOf("state", KEY_STATES);
  const selected = selectedOf(data, keys, query.list("select"), state);
  const focus = focusOf(keys, selected);
  const shown = keys.filter(({ key }) => key === focus);
  const year = query.text("year");
  const here = (more: Readonly<Record<string, string | undefined>>) =>
    hrefWith(pipelineHref(name), { year, step: step ?? undefined, ...more }, "#partitions");
  const grid: GridGiven = {
    id: "cells",
    cells: new Map(
      keys.map((row) => [row.key, { state: shownState(row.state), say: sayOf(row, frame), run: row.run ?? undefined }]),
    ),
    selected: new Set(selected),
    focus,
    ...(frame.mayAct ? { select: name } : {}),
  };
  return (
    <Section id="partitions" title="Partitions" tools={<StepChoice data={data} here={here} />}>
      <Legend
        counts={counts}
        states={KEY_STATES}
        chosen={state}
        href={(picked) => here({ state: picked })}
        picks={frame.mayAct}
      />
      <p class="readout" data-readout="">
        {shown.map((row) => (
          <>
            <b>{titleOf(row.key)}</b>
            <KeyMark state={row.state} />
            <span>{sayOf(row, frame) ?? (row.run === null ? "" : `run ${row.run}`)}</span>
          </>
        ))}
      </p>
      <Periods dated={dated} here={here} chosen={year} />
      {kind === "daily" ? (
        <DayCalendar grid={grid} months={monthsOf(dated)} hrefOf={(month) => here({ select: within(keys, month) })} />
      ) : (
        <MonthCalendar grid={grid} years={yearsOf(dated)} />
      )}
      {frame.mayAct && <ActionBar name={name} kind={kind} list={rangesOf(keys, selected)} selected={selected.length} />}
    </Section>
  );
}

/** What is said of a cell besides its state. */
function sayOf({ state, run, step, error, attempts }: KeyRow, _frame: Frame): string | undefined {
  switch (state) {
    case "failed":
    case "cancelled": {
      const why = [step, attempts === null || attempts < 2 ? undefined : `attempt ${attempts}`].filter(
        (part) => part !== null && part !== undefined,
      );
      return `run ${run}${why.length === 0 ? "" : `, ${why.join(", ")}`}${error === null ? "" : `: ${error}`}`;
    }
    case "stale":
      return step === null ? "done with other steps than there are now" : `${step} changed since run ${run}`;
    case "missing":
      return "no run has done it";
    default:
      return undefined; // its run says enough
  }
}

function titleOf(key: string): string {
  return key.length === 7 ? monthWords(key) : dayWords(new Date(`${key}T00:00:00Z`));
}

function monthsOf({ from, to, keys }: DatedKeys): readonly Month[] {
  const last = keys.at(-1)?.key.slice(0, 7) ?? to;
  const months = Month.range(Month(from), Month(last > to ? last : to));
  return months.slice(0, MONTHS_MAX);
}

/** Days that runs were asked for far beyond those that are due aren't shown. */
const MONTHS_MAX = 15;

function yearsOf({ from, to, keys }: DatedKeys): readonly number[] {
  const last = Number(keys.at(-1)?.key.slice(0, 4) ?? to);
  return Array.from({ length: Math.min(30, last - Number(from) + 1) }, (_, place) => Number(from) + place);
}
