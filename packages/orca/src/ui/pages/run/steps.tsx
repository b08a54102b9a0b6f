/** The steps of a run: their graph, and how each stands for each partition. */
import { attemptHref } from "../../look/addresses.ts";
import type { StepCell } from "../../../state/pages/run-steps.ts";
import { Matrix } from "../../drawings/matrix.tsx";
import { StepGraph } from "../../drawings/step-graph.tsx";
import type { Frame } from "../../look/frame.ts";
import { CodePlaces } from "../../look/code-places.tsx";
import { Section } from "../../look/section.tsx";
import { StateMark, stateOf, type State } from "../../look/state.tsx";
import { num, took } from "../../look/text.ts";
import { matrixCell, tookOf } from "./cell.tsx";
import type { RunData } from "./data.ts";
import { ManySteps } from "./many-steps.tsx";

export function StepsSection({ data, frame }: { readonly data: RunData; readonly frame: Frame }) {
  const { run, bins } = data;
  return (
    <Section
      id="steps"
      title="Steps by partition"
      note={
        bins === null
          ? "Enter opens the attempts of a cell."
          : `${num(run.partitions)} partitions in order of name; each of ${bins.bins.length} bars is ${num(bins.bins[0]?.partitions ?? 0)} of them. What stands up is not done.`
      }
    >
      <RunGraph data={data} frame={frame} />
      {bins === null ? <FewSteps data={data} frame={frame} /> : <ManySteps data={data} frame={frame} />}
      <CodePlaces
        code={run}
        places={data.steps.map(({ name }) => ({ name, at: run.locations?.steps[name] ?? null }))}
      />
    </Section>
  );
}

function RunGraph({ data, frame }: { readonly data: RunData; readonly frame: Frame }) {
  const { run, steps } = data;
  if (steps.length < 2 || steps.every((step) => step.after.length === 0)) return null;
  return (
    <StepGraph
      label={`Steps of run ${run.id}`}
      steps={steps.map((step) => ({
        name: step.name,
        kind: step.kind,
        after: step.after,
        state: stateOfStep(step, run.partitions),
        words: stepWords(step, data, frame),
        href:
          step.kind === "gather" && step.counts.succeeded + step.counts.failed > 0
            ? attemptHref(run.id, step.name, null)
            : "#steps",
      }))}
    />
  );
}

type Step = RunData["steps"][number];

/** What needs someone, before what goes on, before what is done. */
function stateOfStep({ kind, counts }: Step, partitions: number): State {
  const whole = kind === "gather" ? 1 : partitions;
  if (counts.failed > 0) return "failed";
  if (counts.running > 0) return "running";
  if (counts.succeeded === whole) return "ok";
  if (counts.cancelled > 0) return "cancelled";
  if (counts.skipped > 0) return "skipped";
  if (counts.waiting > 0 || counts.succeeded > 0) return "running";
  return "none";
}

/** `10 done, 1 failed`, `12 done, 1.2 s each`. */
function stepWords(step: Step, { cells, bins }: RunData, { now }: Frame): string {
  const { counts } = step;
  const own = cells.filter((cell) => cell.step === step.name);
  if (step.kind === "gather") {
    const [cell] = own;
    const ms = cell && tookOf(cell, now);
    return `gather, ${cell === undefined ? "not reached" : cell.status === "skipped" || ms === undefined ? cell.status : took(ms)}`;
  }
  const others = (["failed", "skipped", "cancelled", "running"] as const).filter((status) => counts[status] > 0);
  if (others.length > 0)
    return [`${num(counts.succeeded)} done`, ...others.map((status) => `${num(counts[status])} ${status}`)].join(", ");
  if (counts.succeeded === 0) return "not reached";
  const all = (bins?.counts ?? []).filter((bin) => bin.step === step.name).reduce((sum, bin) => sum + bin.tookMs, 0);
  const each = own.reduce((sum, cell) => sum + (tookOf(cell, now) ?? 0), all) / counts.succeeded;
  return `${num(counts.succeeded)} done, ${took(each)} each`;
}

function FewSteps({ data, frame }: { readonly data: RunData; readonly frame: Frame }) {
  const { run, steps, cells, failed } = data;
  const byKey = new Map(cells.map((cell) => [`${cell.step}/${cell.partition ?? ""}`, cell]));
  const errorOf = (cell: StepCell | undefined) =>
    (cell && failed.find((one) => one.step === cell.step && one.partition === cell.partition)?.error?.split("\n")[0]) ??
    null;
  const cellOf = (step: string, partition: string | undefined) => {
    const cell = byKey.get(`${step}/${partition ?? ""}`);
    return matrixCell(run.id, cell, frame.now, { why: whyNot(data, step, partition, cell), error: errorOf(cell) });
  };
  const [first] = failed;
  return (
    <>
      <Readout first={first} />
      <div class="scroll box" tabindex={0} role="region" aria-label="Steps by partitions, scrolls sideways">
        <Matrix
          steps={steps}
          partitions={run.keys ?? []}
          cellOf={cellOf}
          focus={
            first === undefined
              ? undefined
              : [first.step, ...(first.partition === null ? [] : [first.partition])].join("/")
          }
        />
      </div>
    </>
  );
}

/** What matters most, until a cell is looked at. */
function Readout({ first }: { readonly first: RunData["failed"][number] | undefined }) {
  if (first === undefined) return <p class="readout" data-readout="" />;
  return (
    <p class="readout" data-readout="">
      <b>
        {first.step} {first.partition}
      </b>
      <StateMark state={stateOf(first.status)} />
      <span>
        attempt {first.attempts}
        {first.error === null ? "" : `: ${first.error.split("\n")[0]}`}
      </span>
    </p>
  );
}

/** Why a step of a partition was skipped, or isn't reached yet. */
function whyNot(
  { steps, cells }: RunData,
  step: string,
  partition: string | undefined,
  cell: StepCell | undefined,
): string {
  if (cell !== undefined && cell.status !== "skipped") return "";
  const { after = [], kind } = steps.find((one) => one.name === step) ?? {};
  const before = cells.filter(
    (one) =>
      after.includes(one.step) &&
      (kind === "gather" || one.partition === null || one.partition === (partition ?? null)),
  );
  const bad = before.find((one) => one.status === "failed" || one.status === "skipped");
  if (bad === undefined) return kind === "gather" && cell === undefined ? "not reached" : "";
  const which = bad.partition === null ? bad.step : `${bad.step} of ${bad.partition}`;
  const words = `${which} ${bad.status === "failed" ? "failed" : "was skipped"}`;
  return cell === undefined ? `not reached: will be skipped, as ${words}` : words;
}
