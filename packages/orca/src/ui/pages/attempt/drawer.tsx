/** The drawer that an attempt is shown in. */
import { attemptHref, logHref, runHref } from "../../look/addresses.ts";
import type { Frame } from "../../look/frame.ts";
import { Icon } from "../../look/icon.tsx";
import { stateOf } from "../../look/state.tsx";
import type { AttemptData } from "../attempt.tsx";
import { Log } from "./log.tsx";
import { ErrorOf } from "./ends.tsx";
import { AttemptFacts } from "./facts.tsx";
import { Value } from "./value.tsx";
import { Foot } from "./foot.tsx";

export interface AttemptGiven {
  readonly data: AttemptData;
  readonly frame: Frame;
}

/** Where an attempt will be opened beside a run. */
export function EmptyDrawer() {
  return <aside class="drawer" id="drawer" aria-label="Attempt" hidden tabindex={-1} />;
}

export function Attempt({ data, frame }: AttemptGiven) {
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
