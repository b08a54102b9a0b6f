/** What steps print, for their logs. */
import type { AttemptLog } from "./attempt-log.ts";

type Streams = { readonly [S in "stdout" | "stderr"]: Pick<NodeJS.WriteStream, "write"> };

/**
 * Writes what is printed while there is a current log to that log too, until it is disposed. It is printed as before. What replaces `write`
 * to show a run's progress comes first and is disposed of last: what it writes by the `write` that it made or found isn't the step's and
 * isn't captured. Nor is what doesn't pass through `write`: a child process that has this process's own streams (`stdio: "inherit"`),
 * `fs.writeSync(1, …)`, and native code.
 *
 * @param currentLog the log of the attempt that the running code belongs to.
 */
export function captureOutput(
  currentLog: () => Pick<AttemptLog, "output"> | undefined,
  streams: Streams = process,
): Disposable {
  const captures = (["stdout", "stderr"] as const).map((name) =>
    captured(streams[name], (chunk) => currentLog()?.output(name, chunk)),
  );
  return { [Symbol.dispose]: () => captures.forEach((capture) => capture[Symbol.dispose]()) };
}

function captured(stream: Streams["stdout"], record: (chunk: string | NodeJS.ArrayBufferView) => void): Disposable {
  const found = stream.write;
  const write = found.bind(stream) as (...args: readonly unknown[]) => boolean;
  let isCapturing = true;
  const capturing = (...args: readonly unknown[]) => {
    const [chunk, encoding] = args;
    if (isCapturing && ArrayBuffer.isView(chunk)) record(chunk as NodeJS.ArrayBufferView);
    if (isCapturing && typeof chunk === "string")
      record(isOtherThanUtf8(encoding) ? Buffer.from(chunk, encoding) : chunk);
    return write(...args); // which refuses what it doesn't take
  };
  stream.write = capturing;
  return {
    [Symbol.dispose]() {
      isCapturing = false;
      if (stream.write === capturing) stream.write = found; // otherwise what was put over it goes on writing through it
    },
  };
}

function isOtherThanUtf8(encoding: unknown): encoding is BufferEncoding {
  return typeof encoding === "string" && Buffer.isEncoding(encoding) && !/^utf-?8$/i.test(encoding);
}
