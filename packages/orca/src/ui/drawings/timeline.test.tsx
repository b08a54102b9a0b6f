import { describe, expect, it } from "vitest";
import type { MachineMetrics } from "../../logs/machine-metrics.ts";
import { markupOf } from "../markup.fixture.ts";
import { busyShares } from "../pages/run/busy-shares.ts";
import { pressureIn } from "./pressure.ts";
import { Timeline } from "./timeline.tsx";

const FROM = new Date("2024-01-01T00:00:00Z");
const after = (seconds: number) => new Date(FROM.getTime() + seconds * 1_000);
const flat = [10, 10, 10, 10];
const machine = (name: string, given: Partial<MachineMetrics> = {}): MachineMetrics => ({
  name,
  cpu: flat,
  memory: flat,
  diskUsed: flat,
  steal: flat,
  disk: flat,
  network: flat,
  memoryBytes: 16e9,
  ...given,
});

describe("pressure", () => {
  it("is where memory or disk is over 90 %, or steal over 20 %, the earliest first, and isn't known in gaps", () => {
    const one = machine("one", { memory: [90, 91, 95, null], steal: [10, 20, 21, 21] });
    const other = machine("other", { diskUsed: [99, null, 99, 90] });
    expect(pressureIn([one, other])).toEqual([
      { machine: "other", kind: "diskUsed", first: 0, last: 0 },
      { machine: "one", kind: "memory", first: 1, last: 2 },
      { machine: "one", kind: "steal", first: 2, last: 3 },
      { machine: "other", kind: "diskUsed", first: 2, last: 2 },
    ]);
  });
});

describe("a step's busy shares", () => {
  it("are of the most that it did at once, by when what of it went on", () => {
    const bin = (from: number, to: number, tookMs: number) => ({ startedAt: after(from), endedAt: after(to), tookMs });
    const shares = busyShares([bin(0, 50, 100_000), bin(50, 100, 50_000)], FROM, after(200));
    expect(shares).toHaveLength(200);
    expect([shares[0], shares[49], shares[50], shares[99], shares[100]]).toEqual([1, 1, 0.5, 0.5, 0]);
  });
});

describe("a timeline", () => {
  it("has a bar for each attempt, below each other where they go on at once, and marks what machines were short of", async () => {
    const bar = (from: number, to: number | null, state: "ok" | "failed" | "running") => ({
      startedAt: after(from),
      endedAt: to === null ? null : after(to),
      state,
      name: `load ${from}`,
    });
    const bars = [bar(0, 50, "ok"), bar(25, 75, "failed"), bar(50, null, "running")];
    const markup = await markupOf(
      <Timeline
        from={FROM}
        to={after(100)}
        steps={[{ name: "load", done: 1, bars }]}
        metrics={{ from: FROM, to: after(100), machines: [machine("one", { memory: [50, 50, 95, 95] })] }}
        label="Timeline"
      />,
    );
    const drawn = [...markup.matchAll(/<rect class="bar (\w+)" x="([\d.]+)%" y="(\d+)" width="([\d.]+)%"/g)];
    expect(drawn.map(([, state, x, y]) => [state, x, y])).toEqual([
      ["ok", "0", "25"],
      ["failed", "25", "43"],
      ["running", "50", "25"],
    ]);
    expect(markup).toContain('class="press"');
    expect(markup).toContain("memory over 90%");
  });
});
