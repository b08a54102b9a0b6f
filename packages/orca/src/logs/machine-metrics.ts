/** What a run's machines did while it went on: read from the files beside its logs, and thinned to what is drawn. */
import { basename } from "node:path";
import { filesIn } from "./run-files.ts";
import { LOG_BYTES_MAX, readLog } from "./read-log.ts";

/** One machine, by instants that are evenly apart. What wasn't measured then is null. */
export interface MachineMetrics {
  readonly name: string;
  /** In per cent: of its cores, of its memory, of its disk, and what its host took of its cores. */
  readonly cpu: Series;
  readonly memory: Series;
  readonly diskUsed: Series;
  readonly steal: Series;
  /** In bytes a second, both ways. */
  readonly disk: Series;
  readonly network: Series;
  readonly memoryBytes: number;
}

type Series = readonly (number | null)[];

export interface RunMetrics {
  readonly from: Date;
  readonly to: Date;
  readonly machines: readonly MachineMetrics[];
}

const MACHINES_MAX = 12;
export const POINTS = 120;

/** A line of the file, as it is written beside the logs. */
interface Sample {
  readonly at: string;
  readonly cpu: number | null;
  readonly steal: number | null;
  readonly memoryUsed: number;
  readonly memoryTotal: number;
  readonly diskUsed: number;
  readonly diskTotal: number;
  readonly diskRead: number | null;
  readonly diskWritten: number | null;
  readonly networkReceived: number | null;
  readonly networkSent: number | null;
}

/** The last part of each machine's file is read. @param place of the run's logs. */
export async function readMetrics(
  place: string,
  { from, to }: { readonly from: Date; readonly to: Date },
  logs: string | undefined,
): Promise<RunMetrics> {
  const files = (await filesIn(`${place}/metrics`, logs)).filter((file) => file.endsWith(".jsonl"));
  const machines = await Promise.all(
    files.slice(0, MACHINES_MAX).map(async (file) => {
      const part = await readLog(file, { last: LOG_BYTES_MAX }, logs).catch(() => undefined);
      const samples = part === undefined ? [] : samplesIn(new TextDecoder().decode(part.bytes));
      return machineOf(basename(file, ".jsonl"), samples, from, to);
    }),
  );
  return { from, to, machines: machines.filter((machine) => machine.memory.some((value) => value !== null)) };
}

/** A line that isn't whole, as the first and the last may be, says nothing. */
function samplesIn(text: string): readonly Sample[] {
  return text.split("\n").flatMap((line) => {
    try {
      const sample = JSON.parse(line) as Partial<Sample> | null;
      return typeof sample?.at === "string" && typeof sample.memoryUsed === "number" ? [sample as Sample] : [];
    } catch {
      return [];
    }
  });
}

/** Of some samples between two points the highest counts: a peak is what one looks for. */
function machineOf(name: string, samples: readonly Sample[], from: Date, to: Date): MachineMetrics {
  const span = Math.max(1, to.getTime() - from.getTime());
  const places = samples.map((sample) => ({
    sample,
    point: Math.round(((Date.parse(sample.at) - from.getTime()) / span) * (POINTS - 1)),
  }));
  const series = (value: (sample: Sample) => number | null) => {
    const points: (number | null)[] = Array.from({ length: POINTS }, () => null);
    for (const { sample, point } of places) {
      const measured = point >= 0 && point < POINTS ? value(sample) : null;
      if (measured !== null && Number.isFinite(measured))
        points[point] = Math.max(points[point] ?? 0, Math.round(measured));
    }
    return joined(points);
  };
  return {
    name,
    cpu: series((s) => (s.cpu === null ? null : s.cpu * 100)),
    memory: series((s) => (100 * s.memoryUsed) / s.memoryTotal),
    diskUsed: series((s) => (100 * s.diskUsed) / s.diskTotal),
    steal: series((s) => (s.steal === null ? null : s.steal * 100)),
    disk: series((s) => sum(s.diskRead, s.diskWritten)),
    network: series((s) => sum(s.networkReceived, s.networkSent)),
    memoryBytes: samples.at(-1)?.memoryTotal ?? 0,
  };
}

function sum(one: number | null, other: number | null): number | null {
  return one === null && other === null ? null : (one ?? 0) + (other ?? 0);
}

/** Points between two that were measured are on the line from one to the other, unless many are missing: then nothing was measured there. */
function joined(points: readonly (number | null)[]): Series {
  const measured = points.flatMap((value, i) => (value === null ? [] : [i]));
  const steps = measured.slice(1).map((at, i) => at - measured[i]!);
  const usual = steps.toSorted((a, b) => a - b)[Math.floor(steps.length / 2)] ?? 1;
  const whole = [...points];
  for (const [i, at] of measured.slice(1).entries()) {
    const before = measured[i]!;
    if (at - before > 3 * usual) continue;
    for (let k = before + 1; k < at; k++)
      whole[k] = Math.round(points[before]! + ((points[at]! - points[before]!) * (k - before)) / (at - before));
  }
  return whole;
}
