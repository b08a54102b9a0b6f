/** What is known of an attempt. */
import { Facts } from "../../look/section.tsx";
import { Mark, StateMark, stateOf } from "../../look/state.tsx";
import { took } from "../../look/text.ts";
import { Time } from "../../look/time.tsx";
import { Code } from "../run/code.tsx";
import { SnapshotLink } from "../run/records.tsx";
import type { AttemptGiven } from "./drawer.tsx";
import { ENDS } from "./ends.tsx";

export function AttemptFacts({ data: { run, of, attempt }, frame }: AttemptGiven) {
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
