import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { lanesOf, ticksOf, type Span } from "./lanes.ts";

const NOW = new Date(1_000);
const span = (from: number, to: number | null) => ({
  startedAt: new Date(from),
  endedAt: to === null ? null : new Date(to),
});

describe("lanes", () => {
  it("are as many as go on at once, and none has two at once", () => {
    const spans = fc.array(fc.tuple(fc.nat(900), fc.integer({ min: 1, max: 100 })), { maxLength: 30 });
    fc.assert(
      fc.property(spans, (given) => {
        const all = given.map(([from, took]) => span(from, from + took));
        const { of, lanes } = lanesOf(all, NOW, 100);
        const atOnce = all.map(
          (one) => all.filter((o) => o.startedAt <= one.startedAt && o.endedAt! > one.startedAt).length,
        );
        expect(lanes).toBe(Math.max(0, ...atOnce));
        const isApart = (one: Span, other: Span) => one.endedAt! <= other.startedAt || other.endedAt! <= one.startedAt;
        const meeting = all.filter((one, i) =>
          all.some((other, k) => i < k && of[i] === of[k] && !isApart(one, other)),
        );
        expect(meeting).toEqual([]);
      }),
    );
  });

  it("are no more than there is room for, and one that goes on has its lane until now", () => {
    expect(lanesOf([span(0, null), span(1, null), span(2, null)], NOW, 2)).toEqual({ of: [0, 1, 1], lanes: 2 });
    expect(lanesOf([span(0, null), span(999, 1_000)], NOW, 2)).toEqual({ of: [0, 1], lanes: 2 });
  });
});

describe("ticks", () => {
  it("are at round instants within the time, and not too many", () => {
    const at = (text: string) => new Date(`2024-01-01T${text}Z`);
    expect(ticksOf(at("10:00:01"), at("10:00:04.5"), 10).map((tick) => tick.toISOString().slice(17, 19))).toEqual([
      "01",
      "02",
      "03",
      "04",
    ]);
    expect(ticksOf(at("10:07:00"), at("12:20:00"), 5).map((tick) => tick.toISOString().slice(11, 16))).toEqual([
      "10:30",
      "11:00",
      "11:30",
      "12:00",
    ]);
    fc.assert(
      fc.property(fc.nat(4e12), fc.nat(1e11), (from, took) => {
        expect(ticksOf(new Date(from), new Date(from + took), 10).length).toBeLessThanOrEqual(11);
      }),
    );
  });
});
