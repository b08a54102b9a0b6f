import type { Child } from "hono/jsx";
import type { State } from "../look/state.tsx";
import { cut } from "../look/text.ts";

export interface MatrixStep {
  readonly name: string;
  readonly kind: "mapped" | "gather";
}

export interface MatrixCell {
  readonly state: State;
  readonly text: Child;
  /** The state and more in words. */
  readonly label: string;
  /** What the readout says of it. */
  readonly say?: string | undefined;
  /** Where its attempts are; none if it has none. */
  readonly href?: string | undefined;
}

/**
 * Steps by partitions, of some 60 at most: rows are steps, columns partitions. A gather step is one cell across.
 *
 * @param focus the key of the cell that the keyboard begins at: `step/partition`.
 */
export function Matrix(given: {
  readonly steps: readonly MatrixStep[];
  readonly partitions: readonly string[];
  readonly cellOf: (step: string, partition: string | undefined) => MatrixCell;
  readonly focus: string | undefined;
}) {
  const { steps, partitions, cellOf, focus } = given;
  const first =
    steps[0] === undefined ? undefined : keyOf(steps[0].name, steps[0].kind === "gather" ? undefined : partitions[0]);
  const cell = (step: string, partition: string | undefined, across?: number) => {
    const { state, text, label, say, href } = cellOf(step, partition);
    const key = keyOf(step, partition);
    return (
      <td
        class={`c ${state}`}
        colspan={across}
        tabindex={key === (focus ?? first) ? 0 : -1}
        data-k={key}
        data-s={state}
        data-say={say}
        aria-label={`${key.replace("/", " ")}: ${label}`}
      >
        {href === undefined ? (
          text
        ) : (
          <a href={href} tabindex={-1}>
            {text}
          </a>
        )}
      </td>
    );
  };
  return (
    <table class="matrix" role="grid" aria-label="Steps by partitions" data-grid data-rows>
      <thead>
        <Columns partitions={partitions} />
      </thead>
      <tbody>
        {steps.map(({ name, kind }) => (
          <tr>
            <th scope="row">
              {name}
              <small>{kind}</small>
            </th>
            {kind === "gather" ? cell(name, undefined, partitions.length) : partitions.map((key) => cell(name, key))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function keyOf(step: string, partition: string | undefined): string {
  return partition === undefined ? step : `${step}/${partition}`;
}

/** Dates have a head of two levels, so that each column's own is of two characters: 2024 over 01, 02, 03. */
function Columns({ partitions }: { readonly partitions: readonly string[] }) {
  if (!partitions.every((key) => /^\d{4}-\d\d(-\d\d)?$/.test(key)))
    return (
      <tr>
        <th scope="col" class="m-step">
          Step
        </th>
        {partitions.map((key) => (
          <th scope="col" title={key}>
            {cut(key, 9)}
          </th>
        ))}
      </tr>
    );
  const groups = Object.entries(Object.groupBy(partitions, (key) => key.slice(0, -3)));
  return (
    <>
      <tr>
        <td class="m-step" />
        {groups.map(([group, keys]) => (
          <th scope="colgroup" colspan={keys!.length} class="grp">
            {group}
          </th>
        ))}
      </tr>
      <tr>
        <th scope="col">Step</th>
        {partitions.map((key) => (
          <th scope="col">{key.slice(-2)}</th>
        ))}
      </tr>
    </>
  );
}
