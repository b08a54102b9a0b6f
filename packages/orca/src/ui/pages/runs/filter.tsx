/** What the list of runs is asked for: a form, whose fields are the page's parameters. */
import { hrefWith } from "../../look/addresses.ts";
import { Day } from "../../../core/keys/day.ts";
import type { ListedState, RunsAsked } from "../../../state/pages/run-list.ts";
import type { Query } from "../../query.ts";

const STATES: readonly ListedState[] = ["running", "queued", "failed", "succeeded", "cancelled"];
const TRIGGERS = {
  schedule: "Schedule",
  sensor: "Sensor",
  backfill: "Backfill",
  rebuild: "Rebuild",
  manual: "By hand",
};
type Trigger = keyof typeof TRIGGERS;

export interface Filter {
  readonly state: ListedState | undefined;
  /** All but the state. */
  readonly runs: Pick<RunsAsked, "pipeline" | "trigger" | "partition" | "code" | "from" | "to" | "backfill">;
  /** As they were given. */
  readonly given: Readonly<Record<string, string>>;
  /** Whether it leaves anything out. */
  readonly isSet: boolean;
  /** The first page of the same filter with some of it changed. */
  href(changed: Readonly<Record<string, string | undefined>>): string;
}

/** @throws OrcaError `usage` */
export function filterOf(query: Query): Filter {
  const state = query.oneOf("state", STATES);
  const trigger = query.oneOf("trigger", Object.keys(TRIGGERS) as Trigger[]);
  const [from, to] = [query.day("from"), query.day("to")];
  const texts = { pipeline: query.text("pipeline"), partition: query.text("partition"), code: query.text("code") };
  const backfill = query.id("backfill");
  const all = { state, trigger, from, to, backfill: backfill?.toString(), ...texts };
  const given = Object.fromEntries(
    Object.entries(all).filter((pair): pair is [string, string] => pair[1] !== undefined),
  );
  return {
    state,
    runs: {
      ...texts,
      trigger,
      backfill,
      from: from === undefined ? undefined : Day.start(from),
      to: to === undefined ? undefined : Day.start(Day.next(to)),
    },
    given,
    isSet: Object.keys(given).length > 0,
    href(changed) {
      return hrefWith("/runs", { ...given, ...changed });
    },
  };
}

export function RunFilter({ filter, pipelines }: { readonly filter: Filter; readonly pipelines: readonly string[] }) {
  const { given } = filter;
  const chosen = given["pipeline"];
  const names = chosen === undefined || pipelines.includes(chosen) ? pipelines : [chosen, ...pipelines];
  return (
    <form class="bar-f even" role="search" aria-label="Filter runs" action="/runs">
      {given["state"] !== undefined && <input type="hidden" name="state" value={given["state"]} />}
      {given["backfill"] !== undefined && <input type="hidden" name="backfill" value={given["backfill"]} />}
      <Choice name="pipeline" label="Pipeline" any="Any pipeline" chosen={chosen} options={names.map((n) => [n, n])} />
      <Choice
        name="trigger"
        label="Trigger"
        any="Any trigger"
        chosen={given["trigger"]}
        options={Object.entries(TRIGGERS)}
      />
      <Field name="partition" label="Partition" given={given} />
      <Field name="code" label="Commit or hash" given={given} />
      <Field name="from" label="From day" given={given} hint="from yyyy-mm-dd" class="day" />
      <Field name="to" label="To day" given={given} hint="to yyyy-mm-dd" class="day" />
      <button class="btn" type="submit">
        Filter
      </button>
      {filter.isSet ? (
        <a class="btn bare" href="/runs">
          Clear
        </a>
      ) : (
        <span class="note">Queued first, then the newest</span>
      )}
    </form>
  );
}

function Choice(given: {
  readonly name: string;
  readonly label: string;
  readonly any: string;
  readonly chosen: string | undefined;
  readonly options: readonly (readonly [value: string, label: string])[];
}) {
  return (
    <select class="sel" name={given.name} aria-label={given.label}>
      <option value="">{given.any}</option>
      {given.options.map(([value, label]) => (
        <option value={value} selected={value === given.chosen}>
          {label}
        </option>
      ))}
    </select>
  );
}

function Field(field: {
  readonly name: string;
  readonly label: string;
  readonly given: Filter["given"];
  readonly hint?: string;
  readonly class?: string;
}) {
  return (
    <input
      class={`in mono ${field.class ?? ""}`}
      name={field.name}
      aria-label={field.label}
      placeholder={field.hint ?? field.label}
      value={field.given[field.name]}
      autocomplete="off"
      spellcheck={false}
    />
  );
}
