/** The months or years of a pipeline that aren't shown day by day or month by month. */
import { totalOf, type KeyState } from "../../../state/pages/key-states.ts";
import { countWords, keyWords, shownState } from "../../look/partition-state.tsx";
import { monthWords } from "../../look/text.ts";
import type { DatedKeys, Period } from "./dated.ts";

/** What isn't shown one by one: a row a year, or a decade of years. */
export function Periods({
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
