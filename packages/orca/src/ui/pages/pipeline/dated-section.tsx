/** The days or months of a pipeline, as a calendar to select in. */
import { hrefWith, pipelineHref } from "../../look/addresses.ts";
import { Month } from "../../../core/keys/month.ts";
import { partitionsIn } from "../../../core/partition-list.ts";
import type { KeyRow } from "../../../state/pages/key-facts.ts";
import { KEY_STATES, totalOf, type KeyState } from "../../../state/pages/key-states.ts";
import { DayCalendar, MonthCalendar, type GridGiven } from "../../drawings/calendar.tsx";
import type { Frame } from "../../look/frame.ts";
import { KeyMark, Legend, countWords, keyWords, shownState } from "../../look/partition-state.tsx";
import { Section } from "../../look/section.tsx";
import { dayWords, monthWords } from "../../look/text.ts";
import type { Query } from "../../query.ts";
import { ActionBar } from "./action-bar.tsx";
import type { DatedKeys, Period } from "./dated.ts";
import { partitionsOf } from "../../../core/keys-across.ts";
import type { PipelineData } from "./read.ts";
import { StepChoice } from "./step-choice.tsx";

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

function selectedOf(
  { name, partitions }: PipelineData,
  keys: readonly KeyRow[],
  list: string | undefined,
  state: KeyState | undefined,
): readonly string[] {
  if (state !== undefined) return keys.filter((row) => row.state === state).map((row) => row.key);
  if (list === undefined) return [];
  const wanted = new Set<string>(partitionsIn(name, partitionsOf(partitions), list));
  return keys.filter((row) => wanted.has(row.key)).map((row) => row.key);
}

/** What is selected, or else the newest that needs someone, or is going on, or is there. */
function focusOf(keys: readonly KeyRow[], selected: readonly string[]): string | undefined {
  const newest = (state: KeyState) => keys.findLast((row) => row.state === state)?.key;
  return selected[0] ?? newest("failed") ?? newest("running") ?? keys.at(-1)?.key;
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

/** `2024-01-01..2024-01-31` of those that there are. */
function within(keys: readonly KeyRow[], month: string): string | undefined {
  const of = keys.filter((row) => row.key.startsWith(month));
  return of.length === 0
    ? undefined
    : rangesOf(
        keys,
        of.map((row) => row.key),
      );
}

/** Those that are beside each other as ranges. */
function rangesOf(all: readonly KeyRow[], selected: readonly string[]): string {
  const chosen = new Set(selected);
  const ranges: [first: string, last: string][] = [];
  let isOpen = false;
  for (const { key } of all) {
    const isChosen = chosen.has(key);
    if (isChosen && isOpen) ranges.at(-1)![1] = key;
    else if (isChosen) ranges.push([key, key]);
    isOpen = isChosen;
  }
  return ranges.map(([first, last]) => (first === last ? first : `${first}..${last}`)).join(",");
}

/** What isn't shown one by one: a row a year, or a decade of years. */
function Periods({
  dated: { periods, kind },
  here,
  chosen,
}: {
  readonly dated: DatedKeys;
  readonly here: (more: Readonly<Record<string, string | undefined>>) => string;
  readonly chosen: string | undefined;
}) {
  if (periods.length === 0) return null;
  const byRow = Object.entries(
    Object.groupBy(periods, ({ of }) => (of.length === 4 ? `${of.slice(0, 3)}0` : of.slice(0, 4))),
  );
  const isByYear = periods[0]!.of.length === 4;
  return (
    <details class="earlier" open>
      <summary>
        {chosen === undefined ? "Earlier" : "Other years"}
        {chosen !== undefined && (
          <>
            {" "}
            <a href={here({ year: undefined })}>The newest twelve months</a>
          </>
        )}
      </summary>
      <div class="scroll" tabindex={0} role="region" aria-label="Earlier partitions, scrolls sideways">
        <table class="months" aria-label={isByYear ? "Years" : "Months"}>
          <tbody>
            {byRow.map(([row, some = []]) => (
              <tr>
                <th scope="row">
                  {kind === "daily" && !isByYear ? (
                    <a href={here({ year: row })}>{row}</a>
                  ) : (
                    `${row}${isByYear ? "s" : ""}`
                  )}
                </th>
                {Array.from({ length: isByYear ? 10 : 12 }, (_, place) => {
                  const of = isByYear ? `${row.slice(0, 3)}${place}` : `${row}-${String(place + 1).padStart(2, "0")}`;
                  return (
                    <PeriodCell
                      period={some.find((period) => period.of === of)}
                      href={kind === "daily" ? here({ year: of.slice(0, 4) }) : undefined}
                    />
                  );
                })}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </details>
  );
}

/** The worst first. */
const WORST: readonly KeyState[] = ["failed", "running", "queued", "stale", "cancelled", "missing", "done"];

function PeriodCell({ period, href }: { readonly period: Period | undefined; readonly href: string | undefined }) {
  if (period === undefined) return <td />;
  const { of, counts } = period;
  const worst = WORST.find((state) => (counts[state] ?? 0) > 0) ?? "missing";
  const title = of.length === 4 ? of : monthWords(of);
  const done = `${counts.done ?? 0}/${totalOf(counts)}`;
  return (
    <td class={`c ${shownState(worst)}`} title={`${title}: ${countWords(counts)}`}>
      <a href={href} aria-label={`${title}: ${keyWords(worst)} at worst. ${countWords(counts)}`}>
        {of.length === 4 ? of : done}
      </a>
    </td>
  );
}
