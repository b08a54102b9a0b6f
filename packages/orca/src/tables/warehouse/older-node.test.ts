import { expect, it } from "vitest";
import { addWhatNodeLacks } from "./older-node.ts";

/** Does something in a process that is as one of an older Node. */
async function onOlder(work: () => Promise<void>): Promise<void> {
  const own = [
    [Map, "groupBy"],
    [Promise, "withResolvers"],
    [globalThis, "AsyncDisposableStack"],
  ].map(([on, name]) => [on, name, Object.getOwnPropertyDescriptor(on, name as string)] as const);
  for (const [on, name] of own) Reflect.deleteProperty(on as object, name as string);
  try {
    addWhatNodeLacks();
    await work();
  } finally {
    for (const [on, name, descriptor] of own) Object.defineProperty(on, name as string, descriptor!);
  }
}

it("what Node lacks does what Node's own does", async () => {
  const done = async () => {
    const { promise, resolve } = Promise.withResolvers<string>();
    resolve("settled");
    const log: unknown[] = [await promise, Map.groupBy([1, 2, 3], (n) => n % 2)];
    const stack = new AsyncDisposableStack();
    const resource = { [Symbol.asyncDispose]: async () => void log.push("resource") };
    log.push(stack.use(resource) === resource);
    stack.use({ [Symbol.dispose]: () => void log.push("sync") });
    stack.defer(() => {
      throw new Error("first");
    });
    await stack.disposeAsync().catch((error: Error) => log.push(error.message));
    await using moved = new AsyncDisposableStack();
    moved.defer(() => void log.push("moved"));
    const kept = moved.move();
    await moved.disposeAsync();
    await kept.disposeAsync();
    return log;
  };
  const own = await done();
  await onOlder(async () => expect(await done()).toEqual(own));
  expect(own).toEqual([
    "settled",
    new Map([
      [1, [1, 3]],
      [0, [2]],
    ]),
    true,
    "sync",
    "resource",
    "first",
    "moved",
  ]);
});

it("what Node has is left as it is", () => {
  const own = [Map.groupBy, AsyncDisposableStack];
  addWhatNodeLacks();
  expect([Map.groupBy, AsyncDisposableStack]).toEqual(own);
});
