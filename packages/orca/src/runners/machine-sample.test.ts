import { tmpdir } from "node:os";
import { expect, it } from "vitest";
import { MachineSampler } from "./machine-sample.ts";

it("a sample has shares of the cores, bytes of memory and disk, and rates since the one before", () => {
  const sampler = new MachineSampler(tmpdir());
  const until = performance.now() + 100;
  while (performance.now() < until); // busy
  const sample = sampler.sample();
  expect(sample.cpu).toBeGreaterThan(0);
  expect(sample.cpu).toBeLessThanOrEqual(1);
  expect(sample.steal).toBeLessThanOrEqual(1);
  expect(sample.memoryUsed).toBeGreaterThan(0);
  expect(sample.memoryUsed).toBeLessThan(sample.memoryTotal);
  expect(sample.diskUsed).toBeLessThan(sample.diskTotal);
  expect(sample.diskWritten).toBeGreaterThanOrEqual(0);
  expect(sample.networkReceived).toBeGreaterThanOrEqual(0);
  expect(JSON.parse(JSON.stringify(sample))).toEqual(sample);
});
