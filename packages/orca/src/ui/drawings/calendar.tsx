/** Days as months of weeks, and months as years: a cell each, which the keyboard and the pointer select. */
import type { Child } from "hono/jsx";
import { Day } from "../../core/keys/day.ts";
import { Month } from "../../core/keys/month.ts";
import { STATE_WORDS, type State } from "../look/state.tsx";
import { monthWords } from "../look/text.ts";

/** What a cell says. */
interface GridCell {
  readonly state: State;
  /** What the readout says beside the state. */
  readonly say: string | undefined;
  /** The run that Enter opens. */
  readonly run: number | undefined;
}

export interface GridGiven {
  readonly id: string;
  /** By day, or by month. One that isn't there isn't due. */
  readonly cells: ReadonlyMap<string, GridCell>;
  readonly selected: ReadonlySet<string>;
  /** The key that has the tab stop. */
  readonly focus: string | undefined;
  /** The pipeline, where cells can be selected. */
  readonly select?: string;
}

const WEEK = ["Mo", "Tu", "We", "Th", "Fr", "Sa", "Su"];
const MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];

/** @param months those that are shown. @param hrefOf where a month's name leads, without a script: to the same page with its days selected. */
export function DayCalendar({
  grid,
  months,
  hrefOf,
}: {
  readonly grid: GridGiven;
  readonly months: readonly Month[];
  readonly hrefOf?: (month: Month) => string;
}) {
  return (
    <div class="cal" id={grid.id} data-grid data-jump="7" data-select={grid.select}>
      {months.map((month) => (
        <MonthBlock grid={grid} month={month} href={hrefOf?.(month)} />
      ))}
    </div>
  );
}

function MonthBlock({
  grid,
  month,
  href,
}: {
  readonly grid: GridGiven;
  readonly month: Month;
  readonly href: string | undefined;
}) {
  const days = Month.days(month);
  const due = days.filter((day) => grid.cells.has(day));
  const done = due.filter((day) => grid.cells.get(day)!.state === "ok").length;
  const count = `${done} of ${due.length}`;
  const places: (Day | undefined)[] = [...Array.from({ length: weekdayOf(days[0]!) }, () => undefined), ...days];
  while (places.length % 7 > 0) places.push(undefined);
  return (
    <div class="mo">
      <a href={href} data-pick={month} aria-label={`${monthWords(month)} ${count} done: select its days`}>
        {monthWords(month)} <span>{count}</span>
      </a>
      <table role="grid" aria-multiselectable="true" aria-label={monthWords(month)}>
        <thead>
          <tr>
            {WEEK.map((name) => (
              <th scope="col">{name}</th>
            ))}
          </tr>
        </thead>
        <tbody>
          {Array.from({ length: places.length / 7 }, (_, week) => (
            <tr>
              {places.slice(week * 7, week * 7 + 7).map((day) =>
                day === undefined ? (
                  <td />
                ) : (
                  <Cell grid={grid} key_={day} name={`${Day.date(day)} ${monthWords(month)}`}>
                    {Day.date(day)}
                  </Cell>
                ),
              )}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** 0 for Monday. */
function weekdayOf(day: Day): number {
  return (Day.start(day).getUTCDay() + 6) % 7;
}

/** A row a year. */
export function MonthCalendar({ grid, years }: { readonly grid: GridGiven; readonly years: readonly number[] }) {
  return (
    <table
      class="months"
      role="grid"
      aria-multiselectable="true"
      aria-label="Months"
      id={grid.id}
      data-grid
      data-jump="12"
      data-select={grid.select}
    >
      <thead>
        <tr>
          <th>
            <span class="vh">Year</span>
          </th>
          {MONTHS.map((name) => (
            <th scope="col">{name}</th>
          ))}
        </tr>
      </thead>
      <tbody>
        {years.map((year) => (
          <tr>
            <th scope="row">{year}</th>
            {MONTHS.map((_, at) => {
              const month = Month.of(year, at + 1);
              return (
                <Cell grid={grid} key_={month} name={`${at + 1}, ${monthWords(month)}`}>
                  {at + 1}
                </Cell>
              );
            })}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function Cell({
  grid,
  key_: key,
  name,
  children,
}: {
  readonly grid: GridGiven;
  readonly key_: string;
  readonly name: string;
  readonly children?: Child;
}) {
  const cell = grid.cells.get(key);
  if (cell === undefined)
    return (
      <td class="c none" aria-disabled="true" aria-label={`${name}: not due`}>
        {children}
      </td>
    );
  return (
    <td
      class={`c ${cell.state}`}
      tabindex={key === grid.focus ? 0 : -1}
      data-k={key}
      data-s={cell.state}
      aria-label={`${name}: ${STATE_WORDS[cell.state]}`}
      aria-selected={grid.selected.has(key) ? "true" : "false"}
      data-say={cell.say}
      data-run={cell.run}
    >
      {children}
    </td>
  );
}
