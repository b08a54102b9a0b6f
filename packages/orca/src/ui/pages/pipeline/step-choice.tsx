/** Which step the partitions are shown by. */
import type { PipelineData } from "./read.ts";

export function StepChoice({
  data: { steps, step: chosen },
  here,
}: {
  readonly data: Pick<PipelineData, "steps" | "step">;
  readonly here: (more: Readonly<Record<string, string | undefined>>) => string;
}) {
  const mapped = steps.filter((step) => step.kind === "mapped");
  if (mapped.length < 2) return null;
  if (mapped.length > STEPS_MAX)
    return chosen === null ? null : <a href={here({ step: undefined })}>All steps, rather than {chosen}</a>;
  return (
    <nav class="seg" aria-label="Which step">
      <a href={here({ step: undefined })} aria-current={chosen === null ? "true" : undefined}>
        All
      </a>
      {mapped.map(({ name }) => (
        <a href={here({ step: name })} aria-current={chosen === name ? "true" : undefined}>
          {name}
        </a>
      ))}
    </nav>
  );
}

/** More have no room: the steps above lead to them. */
const STEPS_MAX = 8;
