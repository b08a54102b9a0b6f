/** When a pipeline is due next. */
import type { Frame } from "../../look/frame.ts";
import { Section } from "../../look/section.tsx";
import { until } from "../../look/text.ts";
import { Time } from "../../look/time.tsx";
import type { PipelineData } from "./read.ts";
import { zoneName } from "./schedule-words.ts";

export function FiresSection({
  data: { schedule, fires },
  frame,
}: {
  readonly data: PipelineData;
  readonly frame: Frame;
}) {
  if (schedule === null || fires.length === 0) return null;
  const isUtc = zoneName(schedule.timeZone) === "UTC";
  return (
    <Section id="fires" title="Next fires">
      <table class="tbl">
        <thead>
          <tr>
            <th scope="col">Fires</th>
            {!isUtc && <th scope="col">{zoneName(schedule.timeZone)}</th>}
            <th scope="col" class={isUtc ? "" : "gone"}>
              UTC
            </th>
            <th scope="col" class="n">
              Fills
            </th>
          </tr>
        </thead>
        <tbody>
          {fires.map(({ at, partition }) => (
            <tr>
              <td>
                <Time at={at} now={frame.now} words={until(at, frame.now)} />
              </td>
              {!isUtc && <td>{clockIn(at, schedule.timeZone)}</td>}
              <td class={isUtc ? "" : "gone"}>{isUtc ? clockIn(at, "UTC") : at.toISOString().slice(11, 16)}</td>
              <td class="n mono">{partition}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </Section>
  );
}

/** `1 Jul 06:10`, on a zone's clock. */
function clockIn(at: Date, timeZone: string): string {
  const options = {
    timeZone,
    day: "numeric",
    month: "short",
    hour: "2-digit",
    minute: "2-digit",
    hourCycle: "h23",
  } as const;
  return new Intl.DateTimeFormat("en-GB", options).format(at).replace(",", "");
}
