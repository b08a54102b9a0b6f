/** What a run was started by. */
import { backfillHref, rebuildHref } from "../../look/addresses.ts";
import { Time } from "../../look/time.tsx";
import { Two } from "../../look/two.tsx";
import type { RunData } from "./data.ts";
import { SnapshotLink } from "./records.tsx";

export function Trigger({ run, now }: { readonly run: RunData["run"]; readonly now: Date }) {
  const by = run.askedBy !== null && `by ${run.askedBy}`;
  if (run.backfill !== null)
    return <Two first={<a href={backfillHref(run.backfill)}>backfill {run.backfill}</a>} second={by} />;
  if (run.rebuild !== null)
    return <Two first={<a href={rebuildHref(run.rebuild)}>rebuild {run.rebuild}</a>} second={by} />;
  if (run.trigger === "manual") return <Two first="by hand" second={run.askedBy} />;
  if (run.firedAt !== null)
    return (
      <Two
        first="schedule"
        second={
          <>
            of <Time at={run.firedAt} now={now} />
          </>
        }
      />
    );
  const [cause, ...others] = run.causes;
  if (cause === undefined) return <>{run.trigger}</>;
  return (
    <Two
      first={run.trigger}
      second={
        <>
          <span class="mono">
            <SnapshotLink dataset={cause.dataset} snapshot={cause.snapshot} />
          </span>
          {others.length > 0 && ` and ${others.length} more`}
        </>
      }
    />
  );
}
