import { task } from "@orcajs/dista";
import { describe, expect, it } from "vitest";
import { defineStep } from "../core/step-definition.ts";
import { callInProcess } from "./in-process.ts";

const add = task("add", async (a: number, b: number) => a + b);
const grow = task("grow", async (list: number[]) => [...list, list.push(0)]);
const fails = task("fails", async (n: number): Promise<number> => {
  throw new Error(`no ${n}`);
});
const leaks = task("leaks", (async () => ({ f: () => 1 })) as never);
const step = defineStep("mapped", "s", [{ tasks: [add, grow, fails, leaks] }, () => 1]);
const remote = callInProcess(step);

describe("a task called in the run's process", () => {
  it("gives its result, and takes the result of another call as it is", async () => {
    const three = remote(add, 1, 2);
    expect(three.ref).toBe("add");
    expect(await remote(add, three, remote(add, three, 4))).toBe(10);
  });

  it("is given copies of its arguments, as a worker is", async () => {
    const list = [1];
    expect(await remote(grow, list)).toEqual([1, 2]);
    expect(list).toEqual([1]);
  });

  it("fails whoever awaits it, and nobody else", async () => {
    remote(fails, 1); // a rejection that nobody handles would fail this file
    await expect(remote(fails, 2)).rejects.toThrow("no 2");
    await expect(remote(add, remote(fails, 3), 1)).rejects.toThrow("no 3");
  });

  it("refuses what can't be sent", async () => {
    await expect(remote(add, () => 1, 2)).rejects.toThrow("arguments must be storable: argument[0] is a function");
    await expect(remote(leaks)).rejects.toThrow("results must be storable: result.f is a function");
  });

  it("is one that the step declares", () => {
    const other = task("other", async () => 1);
    expect(() => remote(other)).toThrow(
      expect.objectContaining({ code: "undeclared", message: "'other' isn't in this step's tasks" }),
    );
  });
});
