import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";

const fixture = fileURLToPath(new URL("./supervised.fixture.ts", import.meta.url));

/** What an inner process writes to which this is done when it says that it is over. */
async function writtenWhen(heard: (inner: ChildProcess) => void): Promise<string> {
  const inner = fork(fixture, { stdio: ["ignore", "pipe", "inherit", "ipc"] });
  const written = text(inner.stdout!);
  const [message] = (await once(inner, "message")) as [unknown];
  expect(message).toEqual({ kind: "over" });
  heard(inner);
  expect(await once(inner, "exit")).toEqual([0, null]);
  return await written;
}

it("the last words are the inner process's: it writes them when the outer one has heard that it is over", async () => {
  const written = await writtenWhen((inner) => {
    inner.send({ kind: "stop", how: "cancel" });
    inner.send({ kind: "over" });
  });
  expect(written).toBe("cancel over");
});

it("it doesn't wait for an outer process that is gone", async () => {
  expect(await writtenWhen((inner) => inner.disconnect())).toBe("leave over");
});
