import { STATE_WORDS, type State } from "../look/state.tsx";
import { cut } from "../look/text.ts";
import { Drawing, Glyph, Graph } from "./graph.tsx";
import { layout } from "./layout.ts";
import { Share, type Part } from "./share.tsx";

/** A step as it is drawn. */
export interface DrawnStep {
  readonly name: string;
  readonly kind: "mapped" | "gather";
  /** The steps that it follows. */
  readonly after: readonly string[];
  /** None for a step of no run. */
  readonly state?: State | undefined;
  /** Its second line. */
  readonly words: string;
  readonly href: string;
  /** How its partitions stand, the share of each in a bar. */
  readonly parts?: readonly Part[] | undefined;
}

const WIDTH = 186;
/** More are no drawing: the table beside it lists them. */
const STEPS_MAX = 60;

/** The steps of a pipeline, from those that come first to those that follow them. A gather step has a double left edge. */
export function StepGraph({ steps, label }: { readonly steps: readonly DrawnStep[]; readonly label: string }) {
  if (steps.length > STEPS_MAX) return null;
  const nodes = steps.map((step) => ({
    id: step.name,
    step,
    width: WIDTH,
    height: step.parts === undefined ? 46 : 54,
  }));
  const edges = steps.flatMap((step) => step.after.map((from) => ({ from, to: step.name })));
  const placed = layout(nodes, edges, { gapX: 42, gapY: 14 });
  return (
    <Drawing label={label}>
      <Graph
        placed={placed}
        label={label}
        draw={({ step, x, y, width, height }) => {
          const { name, kind, state, words, href, parts } = step;
          const left = x + (state === undefined ? 12 : 30);
          const said = state === undefined || state === "none" ? "" : `, ${STATE_WORDS[state]}`;
          const [title, second] = [cut(name, 21), cut(words, state === undefined ? 30 : 26)];
          const whole = title === name && second === words ? "" : `: ${name}, ${words}`;
          return (
            // what is read out begins with what is seen, so that it can be asked for by that
            <a class={`node ${state ?? ""}`} href={href} aria-label={`${title} ${second}, ${kind} step${said}${whole}`}>
              <rect x={x} y={y} width={width} height={height} rx="6" />
              {kind === "gather" && <path class="edge" d={`M${x + 4.5} ${y + 8}v${height - 16}`} />}
              {state !== undefined && <Glyph name={state} x={x + 10} y={y + 8} />}
              <text x={left} y={y + 19}>
                {title}{" "}
              </text>
              <text class="t1" x={left} y={y + 35}>
                {second}
              </text>
              {parts && <Share parts={parts} x={x + 12} y={y + height - 11} width={width - 24} />}
            </a>
          );
        }}
      />
    </Drawing>
  );
}
