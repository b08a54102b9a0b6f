import { PassThrough } from "node:stream";
import { describe, expect, it } from "vitest";
import type { AttemptLog } from "./attempt-log.ts";
import { captureOutput } from "./capture-output.ts";

type Log = Pick<AttemptLog, "output">;

/** Streams that keep what is printed, and a log that keeps what it is given. */
function printing() {
  const streams = { stdout: new PassThrough(), stderr: new PassThrough() };
  const logged: string[] = [];
  const log: Log = { output: (stream, chunk) => logged.push(`${stream} ${chunk as string}`) };
  const printed = (stream: "stdout" | "stderr") => String(streams[stream].read() ?? "");
  return { streams, logged, log, printed };
}

describe("capturing what steps print", () => {
  it("gives it to the current log, and prints it as before", () => {
    const { streams, logged, log, printed } = printing();
    let current: Log | undefined;
    using _capture = captureOutput(() => current, streams);
    streams.stdout.write("before\n");
    current = log;
    streams.stdout.write("a\n");
    streams.stderr.write(Buffer.from("b\n"));
    streams.stderr.write("Yw==", "base64");
    current = undefined;
    streams.stdout.write("after\n");
    expect(logged).toEqual(["stdout a\n", "stderr b\n", "stderr c"]);
    expect([printed("stdout"), printed("stderr")]).toEqual(["before\na\nafter\n", "b\nc"]);
  });

  it("keeps what write returns, calls back and throws", async () => {
    const { streams, log, logged } = printing();
    using _capture = captureOutput(() => log, streams);
    expect(streams.stdout.write("a")).toBe(true);
    expect(streams.stdout.write("a".repeat(streams.stdout.writableHighWaterMark))).toBe(false);
    await new Promise((resolve) => streams.stderr.write("b", resolve));
    await new Promise((resolve) => streams.stderr.write("c", "latin1", resolve));
    expect(() => streams.stdout.write(7)).toThrow(TypeError);
    expect(logged).toHaveLength(4);
  });

  it("ends when it is disposed, and leaves the streams as they were", () => {
    const { streams, logged, log } = printing();
    const { write } = streams.stdout;
    const capture = captureOutput(() => log, streams);
    capture[Symbol.dispose]();
    capture[Symbol.dispose]();
    streams.stdout.write("a");
    expect(streams.stdout.write).toBe(write);
    expect(logged).toEqual([]);
  });

  it("ends also below what replaced write later, which goes on", () => {
    const { streams, logged, log, printed } = printing();
    const capture = captureOutput(() => log, streams);
    const below = streams.stdout.write.bind(streams.stdout);
    const later = ((chunk: string) => below(`> ${chunk}`)) as typeof below;
    streams.stdout.write = later;
    streams.stdout.write("a");
    capture[Symbol.dispose]();
    streams.stdout.write("b");
    expect(streams.stdout.write).toBe(later);
    expect(logged).toEqual(["stdout > a"]);
    expect(printed("stdout")).toBe("> a> b");
  });
});
