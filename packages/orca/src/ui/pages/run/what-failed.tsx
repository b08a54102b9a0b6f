/** What went wrong in a run, and what isn't done because of it. */
import { attemptHref } from "../../look/addresses.ts";
import type { Frame } from "../../look/frame.ts";
import { Failure } from "../../look/failure.tsx";
import { num } from "../../look/text.ts";
import { Time } from "../../look/time.tsx";
import type { RunData } from "./data.ts";

/** What went wrong, before anything else. */
export function WhatFailed({ data, frame }: { readonly data: RunData; readonly frame: Frame }) {
  const { run, failed, counts } = data;
  return (
    <div id="failed" data-live>
      {run.error !== null && run.status === "failed" && (
        <Failure title="The run failed outside of its steps" error={run.error} />
      )}
      {failed.map((cell) => (
        <Failure
          title={`${cell.step} failed${cell.partition === null ? "" : ` for ${cell.partition}`}`}
          words={
            <>
              {cell.endedAt !== null && <Time at={cell.endedAt} now={frame.now} />}, in attempt {cell.attempts}.{" "}
              {consequence(data, cell.partition)}
            </>
          }
          error={cell.error}
          href={attemptHref(run.id, cell.step, cell.partition)}
        />
      ))}
      {counts.failed > failed.length && (
        <p class="note">
          <a href="#steps">{num(counts.failed - failed.length)} more failed</a>
        </p>
      )}
    </div>
  );
}

/** What isn't done because of it. */
function consequence({ cells, run }: RunData, partition: string | null): string {
  const skipped = cells.filter((cell) => cell.status === "skipped" && cell.partition === partition);
  const gathers = cells.filter((cell) => cell.status === "skipped" && cell.partition === null && partition !== null);
  const names = [...skipped, ...gathers].map((cell) => cell.step);
  const parts = names.length === 0 ? "" : `${names.join(", ")} ${names.length === 1 ? "is" : "are"} skipped.`;
  return run.status === "running" ? `${parts} The run goes on, and will end failed.`.trim() : parts;
}
