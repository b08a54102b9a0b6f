import type { State } from "../look/state.tsx";
import { f2, percent } from "../look/text.ts";
import { Scrub } from "./scrub.tsx";
import type { Part } from "./share.tsx";

/** What stands up, from the base. What is done is the base itself. */
const ORDER: readonly State[] = ["failed", "running", "stale", "queued", "skipped", "missing", "cancelled"];
const FAILED_LEAST = 4;
const LEAST = 1.5;

/** One bin: how many it holds, and those of them that aren't done. */
export interface DrawnBin {
  readonly all: number;
  readonly parts: readonly Part[];
  /** `<which>: <what is there>`. */
  readonly text: string;
  /** What Enter goes to, after `go`. */
  readonly at?: string | undefined;
}

/** Many as bins: what isn't done stands up from the base, and failed ones never so low that they can't be seen. */
export function Bins(given: {
  readonly id: string;
  readonly bins: readonly DrawnBin[];
  readonly height?: number;
  /** Of the drawing, and of what moves along it. */
  readonly label: string;
  readonly name: string;
  readonly go?: string | undefined;
}) {
  const { id, bins, height = 44, label, name, go } = given;
  const width = 100 / bins.length;
  return (
    <div class="bins">
      <svg height={height} role="img" aria-label={label}>
        <rect class="b-oklow" width="100%" height={height} />
        {bins.map(({ all, parts }, i) => {
          let top = height;
          return ORDER.map((state) => {
            const count = parts.find(([one]) => one === state)?.[1] ?? 0;
            if (count === 0) return null;
            const tall = Math.max(state === "failed" ? FAILED_LEAST : LEAST, (count / all) * height);
            top = Math.max(0, top - tall);
            return (
              <rect class={`b-${state}`} x={percent(i * width)} y={f2(top)} width={percent(width)} height={f2(tall)} />
            );
          });
        })}
      </svg>
      <Scrub
        id={id}
        name={name}
        texts={bins.map((bin) => bin.text)}
        at={0}
        go={go === undefined ? undefined : { to: go, places: bins.map((bin) => bin.at ?? "") }}
      />
    </div>
  );
}
