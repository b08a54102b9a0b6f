/** What a sensor's program couldn't say when it was asked last: nothing starts by it until it can. */
import { Failure } from "../../look/failure.tsx";
import type { Frame } from "../../look/frame.ts";
import { ago } from "../../look/text.ts";
import { Time } from "../../look/time.tsx";
import type { PipelineData } from "./read.ts";

export function CantBeAsked({ data, frame: { now } }: { readonly data: PipelineData; readonly frame: Frame }) {
  const { senseError, sensedAt, keysError, keysAskedAt } = data;
  const last = (at: Date | null) => at !== null && <Time at={at} now={now} words={`asked ${ago(at, now)}`} />;
  return (
    <div id="cant-be-asked" data-live>
      {senseError !== null && (
        <Failure title="New snapshots of others start no run" words={last(sensedAt)} error={senseError} />
      )}
      {keysError !== null && <Failure title="New names start no run" words={last(keysAskedAt)} error={keysError} />}
    </div>
  );
}
