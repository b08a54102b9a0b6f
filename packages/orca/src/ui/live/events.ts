/** `/events`: server-sent events that name what has changed. The page that hears one asks for itself again. */
import type { Context } from "hono";
import { streamSSE } from "hono/streaming";
import { isOfSteps } from "../../state/step-news.ts";
import type { Query } from "../query.ts";
import type { Changes } from "./changes.ts";

/** So many pages are told at once; others ask every two seconds. */
const PAGES_MAX = 500;
/** Proxies close what is silent for longer. */
const BEAT_MS = 15_000;
/** A page of something that goes on changes also while no step does: its clocks, heartbeats and machines. */
const MOVES_MS = 5_000;
/** What happens within this time is told as one. */
const TOGETHER_MS = 200;

/** @param query's `topics`: those that the page wants to hear of, separated by spaces, a `*` at the end of one for all that begin so. */
export function eventsAnswer(context: Context, query: Query, changes: Changes): Response {
  if (changes.size >= PAGES_MAX) return context.text("too many pages listen", 503, { "Retry-After": "60" });
  const wanted = (query.text("topics") ?? "").split(" ").filter((topic) => topic !== "");
  const isWanted = (topic: string) =>
    topic === "" || wanted.some((one) => (one.endsWith("*") ? topic.startsWith(one.slice(0, -1)) : topic === one));
  const isMoving = wanted.some(isOfSteps);
  context.header("X-Accel-Buffering", "no");
  return streamSSE(context, async (stream) => {
    let wake: (() => void) | undefined;
    let isChanged = false;
    using _ = changes.listen((topic) => {
      if (!isWanted(topic)) return;
      isChanged = true;
      wake?.();
    });
    stream.onAbort(() => wake?.());
    while (!stream.aborted && !stream.closed) {
      if (!isChanged) {
        const passed = () => {
          isChanged ||= isMoving;
          wake?.();
        };
        const timer = setTimeout(passed, isMoving ? MOVES_MS : BEAT_MS);
        await new Promise<void>((resolve) => (wake = resolve));
        clearTimeout(timer);
      }
      if (stream.aborted) break;
      if (isChanged) await stream.sleep(TOGETHER_MS);
      const event = isChanged ? "changed" : "beat";
      isChanged = false; // what changes while this is written is told after it
      await stream.writeSSE({ event, data: "" });
    }
  });
}
