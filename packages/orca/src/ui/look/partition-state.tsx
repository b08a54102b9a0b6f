/** The states of partitions as pages show them: in the colours of runs' states. */
import type { KeyCounts, KeyState } from "../../state/pages/key-states.ts";
import { KEY_STATES } from "../../state/pages/key-states.ts";
import { Icon } from "./icon.tsx";
import { StateMark, STATE_WORDS, type State } from "./state.tsx";
import { num } from "./text.ts";

/** The style sheet's name of a partition's state. */
export function shownState(state: KeyState): State {
  return state === "done" ? "ok" : state;
}

export function KeyMark({ state }: { readonly state: KeyState }) {
  return <StateMark state={shownState(state)} />;
}

/** `Succeeded` */
export function keyWords(state: KeyState): string {
  return STATE_WORDS[shownState(state)];
}

/** `175 done, 1 failed`; `none done` of nothing. */
export function countWords(counts: KeyCounts): string {
  const words = KEY_STATES.filter((state) => (counts[state] ?? 0) > 0).map(
    (state) => `${num(counts[state]!)} ${state === "done" ? "done" : keyWords(state).toLowerCase()}`,
  );
  return words.length === 0 ? "none" : words.join(", ");
}

/** How many partitions are in each state, as links to those: what is there is always said, also of one that has none. */
export function Legend({
  counts,
  states,
  chosen,
  href,
  picks = false,
}: {
  readonly counts: KeyCounts;
  readonly states: readonly KeyState[];
  readonly chosen: KeyState | undefined;
  /** @param state undefined to choose none. */
  readonly href: (state: KeyState | undefined) => string;
  /** Whether a script selects them in the grid below. */
  readonly picks?: boolean;
}) {
  return (
    <nav class="counts" aria-label="States">
      {states.map((state) => (
        <a
          class={`st-${shownState(state)}`}
          href={href(chosen === state ? undefined : state)}
          aria-current={chosen === state ? "true" : undefined}
          data-state-pick={picks ? shownState(state) : undefined}
        >
          <Icon name={shownState(state)} />
          <b>{num(counts[state] ?? 0)}</b> {keyWords(state).toLowerCase()}
        </a>
      ))}
    </nav>
  );
}
