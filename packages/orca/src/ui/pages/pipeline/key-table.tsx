/** The keys that were looked for, to check and to backfill. */
import { hrefWith, pipelineHref, runHref } from "../../look/addresses.ts";
import type { KeyPage } from "../../../state/pages/key-list.ts";
import type { KeyRow } from "../../../state/pages/key-facts.ts";
import type { Frame } from "../../look/frame.ts";
import { Name } from "../../look/name.tsx";
import { KeyMark, keyWords } from "../../look/partition-state.tsx";
import { num } from "../../look/text.ts";
import { Time } from "../../look/time.tsx";
import type { KeyedKeys } from "./keyed.ts";
import type { PipelineData } from "./read.ts";

export function KeyForm({
  data: { name },
  keyed: { state, counts },
  list: { keys, after },
  frame,
  here,
  isOnward,
}: {
  readonly data: PipelineData;
  readonly keyed: KeyedKeys;
  readonly list: KeyPage;
  readonly frame: Frame;
  readonly here: (more: Readonly<Record<string, string | undefined>>) => string;
  readonly isOnward: boolean;
}) {
  const mayAct = frame.mayAct && keys.length > 0;
  const canTakeAll = mayAct && state !== null && state !== "running" && state !== "queued" && state !== "done";
  return (
    <form method="get" action={pipelineHref(name, "backfill")} data-confirm data-checks>
      <table class="tbl cards keys-t" data-list>
        <thead>
          <tr>
            {mayAct && (
              <th scope="col" class="ck">
                <input type="checkbox" aria-label="Select all on this page" data-check-all hidden />
              </th>
            )}
            <th scope="col" class="k-key">
              Key
            </th>
            <th scope="col" class="k-st">
              State
            </th>
            <th scope="col">Why</th>
            <th scope="col" class="n k-n">
              Attempts
            </th>
            <th scope="col" class="k-n">
              Run
            </th>
            <th scope="col" class="n k-n">
              Ended
            </th>
          </tr>
        </thead>
        <tbody>
          {keys.map((row) => (
            <KeyLine row={row} frame={frame} mayAct={mayAct} />
          ))}
        </tbody>
      </table>
      {keys.length === 0 && (
        <p class="note">{after === null ? "No key is so." : "None of those looked through is so: there are more."}</p>
      )}
      <p class="pager">
        <span>{keys.length === 0 ? "" : `${num(keys.length)}${isOnward ? " more" : ""}, by name`}</span>
        {isOnward && (
          <a class="btn bare" href={here({})}>
            From the first
          </a>
        )}
        {after !== null && (
          <a class="btn" href={here({ after })}>
            Next
          </a>
        )}
      </p>
      {mayAct && (
        <div class="act">
          <b data-check-n>Those that are checked</b>
          {canTakeAll && (
            <a class="btn bare" href={hrefWith(pipelineHref(name, "backfill"), { state })} data-confirm>
              Backfill all {num(counts[state] ?? 0)} {keyWords(state).toLowerCase()}
            </a>
          )}
          <span class="grow" />
          <button class="btn pri" type="submit" data-check-backfill>
            Backfill
          </button>
          <button class="btn" type="submit" name="rerun" value="1" data-check-rerun>
            Rerun
          </button>
          <span class="cli">
            <span>Same as</span> <code data-check-cli={name}>orca backfill {name} …</code>
          </span>
        </div>
      )}
    </form>
  );
}

function KeyLine({ row, frame, mayAct }: { readonly row: KeyRow; readonly frame: Frame; readonly mayAct: boolean }) {
  const { key, state, run, step, error, attempts, at } = row;
  const why =
    state === "stale"
      ? `${step ?? "its steps"} changed since`
      : [step, error].filter((part) => part !== null).join(": ");
  return (
    <tr>
      {mayAct && (
        <td class="ck a-ck">
          <input type="checkbox" name="key" value={key} aria-label={`Select ${key}`} />
        </td>
      )}
      <th scope="row" class="mono a-ky">
        {run === null ? (
          <Name text={key} tail={12} />
        ) : (
          <a href={runHref(run)}>
            <Name text={key} tail={12} />
          </a>
        )}
      </th>
      <td class="a-st">
        <KeyMark state={state} />
      </td>
      <td class="a-wy">{why}</td>
      <td class="n gone">{attempts}</td>
      <td class="a-rn" data-l="Run">
        {run !== null && <a href={runHref(run)}>{run}</a>}
      </td>
      <td class="n a-en">{at !== null && <Time at={new Date(at)} now={frame.now} />}</td>
    </tr>
  );
}
