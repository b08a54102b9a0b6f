import { describe, expect, it } from "vitest";
import { namedHashes, type Hash, type Registry } from "./built.ts";

const step = (name: string, hash: Hash) => ({ name, kind: null, hash, own: hash, packages: [] });
const task = (name: string, hash: Hash) => ({ name, hash, packages: [] });
const registry = (more: Partial<Registry>): Registry => ({
  pipeline: "p",
  hash: "0x0",
  complete: true,
  steps: [],
  tasks: [],
  ...more,
});
const hashesOf = (given: Registry, steps: string[], tasks: string[] = []) => {
  const named = namedHashes(given, steps, tasks);
  return [...named.steps, ...named.tasks].map(({ name, hash }) => `${name} ${hash}`);
};

describe("a step has the hash", () => {
  const unnamed = [step("", "0x1"), step("b", "0x2")];

  it("of its place, where the code has all steps and their names are right", () => {
    expect(hashesOf(registry({ steps: unnamed }), ["a", "b"])).toEqual(["a 0x1", "b 0x2"]);
  });

  it.each([
    ["the code may have other steps", registry({ steps: unnamed, complete: false }), ["a", "b"], ["a 0x0", "b 0x2"]],
    ["the run has more steps", registry({ steps: unnamed }), ["a", "b", "c"], ["a 0x0", "b 0x2", "c 0x0"]],
    ["the run has them in another order", registry({ steps: unnamed }), ["b", "a"], ["b 0x2", "a 0x0"]],
  ])("of its name, or else the pipeline's, where %s", (_, given, names, expected) => {
    expect(hashesOf(given, names)).toEqual(expected);
  });

  it("of the pipeline, where two have its name and the places don't say which it is", () => {
    const twice = registry({ steps: [step("a", "0x1"), step("a", "0x2")], complete: false });
    expect(hashesOf(twice, ["a", "b"])).toEqual(["a 0x0", "b 0x0"]);
  });
});

it("a task has the hash of its name, or the pipeline's where none or two have it", () => {
  const tasks = [task("a", "0x1"), task("b", "0x2"), task("b", "0x3")];
  expect(hashesOf(registry({ tasks }), [], ["a", "b", "c"])).toEqual(["a 0x1", "b 0x0", "c 0x0"]);
});
