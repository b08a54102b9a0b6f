/** The drawer that an attempt is shown in. */
import type { Child } from "hono/jsx";
import { attemptHref, logHref, runHref } from "../../look/addresses.ts";
import type { CutText } from "../../../state/pages/attempt.ts";
import type { Frame } from "../../look/frame.ts";
import { Icon } from "../../look/icon.tsx";
import { LogIn } from "../../look/log-in.tsx";
import { Facts } from "../../look/section.tsx";
import { Mark, StateMark, stateOf } from "../../look/state.tsx";
import { num, took } from "../../look/text.ts";
import { Time } from "../../look/time.tsx";
import type { AttemptData } from "../attempt.tsx";
import { Code, Places } from "../run/code.tsx";
import { SnapshotLink } from "../run/records.tsx";
import { Log } from "./log.tsx";

interface Given {
  readonly data: AttemptData;
  readonly frame: Frame;
}

/** Where an attempt will be opened beside a run. */
export function EmptyDrawer() {
  return <aside class="drawer" id="drawer" aria-label="Attempt" hidden tabindex={-1} />;
}

export function Attempt({ data, frame }: Given) {
  const { run, of, attempt, log } = data;
  const { id } = run.run;
  return (
    <aside class="drawer" id="drawer" aria-label="Attempt" tabindex={-1}>
      <header>
        <div>
          <p class="crumb">
            <a href={runHref(id)}>Run {id}</a> / {of.step}
          </p>
          <h2>
            {of.step} {of.partition !== null && <span class="mono">{of.partition}</span>}
          </h2>
        </div>
        <Neighbours data={data} />
        <a class="btn bare sq" href={runHref(id)} aria-label="Close" data-close>
          <Icon name="close" />
        </a>
      </header>
      <div class="body">
        <div id="attempt" class="counts" role="group" aria-label="Attempts" data-live>
          {of.attempts.map((one) => (
            <a
              href={attemptHref(id, of.step, of.partition, one.attempt)}
              aria-current={one.attempt === attempt?.attempt ? "true" : undefined}
              class={`st-${stateOf(one.status)}`}
              data-drawer
            >
              <Icon name={stateOf(one.status)} />
              Attempt {one.attempt}
            </a>
          ))}
        </div>
        <div id="attempt-error" data-live hidden={(attempt?.error ?? null) === null}>
          <ErrorOf data={data} />
        </div>
        <AttemptFacts data={data} frame={frame} />
        {attempt !== null && attempt.log !== null && (
          <Log
            log={log ?? undefined}
            attempt={attempt.attempt}
            href={logHref(id, of.step, of.partition, attempt.attempt)}
            isLive={attempt.endedAt === null}
          />
        )}
        <div id="attempt-values" data-live>
          <details>
            <summary>Input and output</summary>
            <Value name="Input" value={of.input} />
            <Value name="Output" value={of.output} />
          </details>
        </div>
      </div>
      <Foot data={data} frame={frame} />
    </aside>
  );
}

function Neighbours({ data: { run, of } }: { readonly data: AttemptData }) {
  if (of.before === null && of.next === null) return null;
  const link = (partition: string | null, label: string, key: string, turn: string) =>
    partition !== null && (
      <a
        class="btn sq"
        href={attemptHref(run.run.id, of.step, partition)}
        aria-label={`${label}: ${partition}`}
        title={partition}
        aria-keyshortcuts={key}
        data-drawer
      >
        <Icon name="down" class={turn} />
      </a>
    );
  return (
    <span class="nw">
      {link(of.before, "Partition before", "[", "left")} {link(of.next, "Next partition", "]", "right")}
    </span>
  );
}

/** The error's kind, if it names one, and what it says. */
function ErrorOf({ data: { attempt, run } }: { readonly data: AttemptData }) {
  if (attempt === null || attempt.error === null) return null;
  const [, kind, text] = /^([a-z]+(?:-[a-z]+)+): (.*)$/s.exec(attempt.error) ?? [];
  return (
    <div class="err" role="group" aria-label="Error">
      <b>{kind ?? ENDS[attempt.status] ?? "Failed"}</b>
      <pre tabindex={0} aria-label="Error text">
        {text ?? attempt.error}
      </pre>
      <Places text={attempt.error} run={run.run} />
    </div>
  );
}

/** How attempts end that states have no words for. */
const ENDS: Readonly<Record<string, string>> = {
  crashed: "Crashed",
  "timed-out": "Timed out",
  lost: "Lost",
  cancelled: "Cancelled",
};

function AttemptFacts({ data: { run, of, attempt }, frame }: Given) {
  if (attempt === null)
    return <Facts id="attempt-facts" pairs={[["State", <StateMark state={stateOf(of.status)} />]]} />;
  const state = stateOf(attempt.status);
  const ended = attempt.endedAt ?? frame.now;
  const label = ENDS[attempt.status];
  return (
    <Facts
      id="attempt-facts"
      pairs={[
        ["State", label === undefined ? <StateMark state={state} /> : <Mark name={state} label={label} />],
        ["Started", <Time at={attempt.startedAt} now={frame.now} />],
        [attempt.endedAt === null ? "So far" : "Took", took(ended.getTime() - attempt.startedAt.getTime())],
        ["Code", <Code run={{ ...run.run, hash: of.hash, isNewestCode: null }} />],
        ["Read", <Snapshots of={attempt.reads} />],
        ["Made", <Snapshots of={attempt.commits} />],
      ]}
    />
  );
}

function Snapshots({ of }: { readonly of: readonly { readonly dataset: string; readonly snapshot: string | null }[] }) {
  if (of.length === 0) return <span class="dim">nothing</span>;
  return (
    <span class="mono">
      {of.map(({ dataset, snapshot }, i) => (
        <>
          {i > 0 && <br />}
          <SnapshotLink dataset={dataset} snapshot={snapshot} />
        </>
      ))}
    </span>
  );
}

function Value({ name, value }: { readonly name: string; readonly value: CutText | null }) {
  const isCut = value !== null && value.text.length < value.length;
  return (
    <>
      <p class="note">
        {name}
        {value === null && ": none"}
        {isCut && `: the first ${num(value.text.length)} of ${num(value.length)} characters`}
      </p>
      {value !== null && (
        <pre class="io" tabindex={0} aria-label={name}>
          {value.text}
        </pre>
      )}
    </>
  );
}

function Foot({ data: { run, of }, frame }: Given) {
  const { id, endedAt, isCancelling } = run.run;
  let foot: Child = <LogIn frame={frame} to="rerun it" />;
  if (frame.mayAct && endedAt !== null)
    foot = (
      <form class="inline" method="post" action={runHref(id, "rerun")}>
        <input type="hidden" name="step" value={of.step} />
        {of.partition !== null && <input type="hidden" name="partition" value={of.partition} />}
        <button class="btn pri">Rerun from here</button>
      </form>
    );
  else if (frame.mayAct)
    foot = (
      <>
        <form class="inline" method="post" action={runHref(id, "cancel")}>
          <button class="btn" data-open="cancel" disabled={isCancelling}>
            Cancel run
          </button>
        </form>
        <span class="note">Can be rerun when the run has ended.</span>
      </>
    );
  return (
    <footer id="attempt-foot" data-live>
      {foot}
    </footer>
  );
}
