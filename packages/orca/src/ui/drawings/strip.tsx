import { STATE_WORDS, type State } from "../look/state.tsx";

/** A run in a strip. */
export interface StripRun {
  readonly state: State;
  readonly tookMs: number;
}

/** How many runs have room. */
const SLOTS = 20;
const SLOT = 7;
const HEIGHT = 27;
const TALLEST = 18;

/** The last runs, the oldest first: each as tall as it took, against the longest; a cross on top says that it failed. */
export function Strip({ runs }: { readonly runs: readonly StripRun[] }) {
  if (runs.length === 0) return <span class="dim">No runs yet</span>;
  const longest = Math.max(1, ...runs.map((run) => run.tookMs));
  const counts = Object.entries(Object.groupBy(runs, (run) => run.state)).map(
    ([state, of]) => `${of.length} ${STATE_WORDS[state as State].toLowerCase()}`,
  );
  return (
    <svg class="strip" viewBox="0 0 140 28" role="img" aria-label={`Last ${runs.length} runs: ${counts.join(", ")}`}>
      {[...pathsOf(runs, longest)].map(([name, path]) => (
        <path class={name} d={path} />
      ))}
    </svg>
  );
}

/** One path for all bars that look alike: lists have a strip in each of their lines. */
function pathsOf(runs: readonly StripRun[], longest: number): ReadonlyMap<string, string> {
  const paths = new Map<string, string>();
  const add = (name: string, path: string) => paths.set(name, (paths.get(name) ?? "") + path);
  for (const [place, { state, tookMs }] of runs.entries()) {
    const x = (SLOTS - runs.length + place) * SLOT + 1;
    const tall = Math.max(4, Math.round((tookMs / longest) * TALLEST));
    const isOpen = state === "queued" || state === "running"; // drawn by its edge, which lies half outside
    const [edge, width, height] = isOpen ? [0.5, 4, tall - 0.5] : [0, 5, tall];
    add(`b-${state}`, `M${x + edge} ${HEIGHT - tall}h${width}v${height}h${-width}z`);
    if (state === "failed") add("x", `M${x} ${HEIGHT - tall - 7}l5 5m0-5l-5 5`);
  }
  return paths;
}
