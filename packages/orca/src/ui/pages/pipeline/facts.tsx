/** What is known of a pipeline, above its steps. */
import { Day } from "../../../core/keys/day.ts";
import { partitionsBetween } from "../../../core/schedule/due-partitions.ts";
import type { Frame } from "../../look/frame.ts";
import { CodePlace } from "../../look/code-places.tsx";
import { Facts } from "../../look/section.tsx";
import { dayWords, monthWords, num, plural, stamp, until } from "../../look/text.ts";
import { Time } from "../../look/time.tsx";
import { unitOf, units } from "../../look/units.ts";
import type { PipelineData } from "./read.ts";
import { scheduleWords } from "./schedule-words.ts";
import { SensorFact, DataFact, DatasetLink } from "./dataset-facts.tsx";
import { CodeLink } from "./code-link.tsx";

export function PipelineFacts({ data, frame: { now } }: { readonly data: PipelineData; readonly frame: Frame }) {
  const { partitions, sensor, schedule, registeredAt, maxRuns, runRetries, keysPerRun, fires } = data;
  const [next] = fires;
  return (
    <Facts
      pairs={[
        ["Partitions", <PartitionsFact data={data} />],
        sensor
          ? ["Starts", <SensorFact data={data} now={now} />]
          : ["Schedule", schedule === null ? "None" : <ScheduleFact data={data} />],
        next && [
          "Next fire",
          <>
            <Time at={next.at} now={now} words={until(next.at, now)} />
            <br />
            <small>
              {stamp(next.at).slice(0, 16)} UTC{next.partition !== null && `, for ${next.partition}`}
            </small>
          </>,
        ],
        ["Lag", <LagFact data={data} />],
        partitions.kind === "keyed" ? ["Keys a run", num(keysPerRun ?? 1)] : undefined,
        [
          "Code",
          <>
            <CodeLink code={data.code} />
            {data.code.at !== null && (
              <>
                {" "}
                <CodePlace code={data.code} at={data.code.at} />
              </>
            )}
            <br />
            <small>
              registered <Time at={registeredAt} now={now} />
            </small>
          </>,
        ],
        [
          "Limits",
          <>
            {plural(maxRuns, "run")} at once
            <br />
            <small>
              {runRetries === 0
                ? "a failed run isn't started again"
                : `a failed run starts again ${plural(runRetries, "time")}`}
            </small>
          </>,
        ],
        ["Data", <DataFact data={data} />],
      ]}
    />
  );
}

function PartitionsFact({ data: { partitions, dated, counts, total } }: { readonly data: PipelineData }) {
  if (partitions.kind === "keyed")
    return (
      <>
        {plural(total, "name")}
        <br />
        <small>
          values of {partitions.column} in <DatasetLink name={partitions.dataset} />
        </small>
      </>
    );
  // of those that are done also without being due, which come after the last that is
  const early = dated?.keys.filter(({ key, state }) => state === "done" && key > (dated.due?.last ?? "")).length ?? 0;
  const since = partitions.kind === "daily" ? dayWords(Day.start(Day(partitions.start))) : monthWords(partitions.start);
  return (
    <>
      {partitions.kind === "daily" ? "Daily" : "Monthly"} since {since}
      <br />
      <small>
        {num(total)} due, {num((counts.done ?? 0) - early)} done{early > 0 && `, and ${num(early)} before due`}
      </small>
    </>
  );
}

function ScheduleFact({ data: { schedule, fills, partitions } }: { readonly data: PipelineData }) {
  const unit = unitOf(partitions.kind);
  return (
    <>
      {scheduleWords(schedule!)}
      <br />
      <small class="mono">{schedule!.cron}</small>{" "}
      {fills !== null && (
        <small>
          fills the {unit} {fills === "current" ? "that it is in" : "before"}
        </small>
      )}
    </>
  );
}

/** Of dates, how many are due after the newest that is done. */
function LagFact({ data: { dated, counts, total, partitions } }: { readonly data: PipelineData }) {
  const undone = total - (counts.done ?? 0);
  if (dated?.due && partitions.kind !== "keyed") {
    const { last } = dated.due;
    const newest = dated.keys.findLast(({ key, state }) => state === "done" && key <= last)?.key;
    const first = newest ?? dated.keys[0]?.key ?? last;
    const lag = partitionsBetween(partitions.kind, first, last) - (newest === undefined ? 0 : 1);
    return (
      <>
        {lag <= 0 ? "None" : units(partitions.kind, lag)}
        <br />
        <small>{newest === undefined ? "none is done yet" : `${newest} is done`}</small>
      </>
    );
  }
  return <>{undone <= 0 ? "None" : `${units(partitions.kind, undone)} not done`}</>;
}
