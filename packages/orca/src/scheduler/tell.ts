/** Posts what is to be told of runs to the URLs of their pipelines. */
import { notificationsToTell, notificationTold, type Notification } from "../state/notifications.ts";
import type { Scheduling } from "./tick.ts";

/** So many are told at once. */
const AT_ONCE = 8;
/** How long a server may take to answer. */
const ANSWER_MS = 10_000;

/** Tells all that it is time for. What can't be told is tried again later, at growing intervals. */
export async function tellAll(scheduling: Scheduling): Promise<void> {
  const { database, tell, uiUrl, signal } = scheduling;
  while (scheduling.signal?.aborted !== true) {
    const some = await notificationsToTell(database, AT_ONCE);
    if (some.length === 0) return;
    await Promise.all(
      some.map(async (one) => {
        const error = await post(one, uiUrl, signal);
        if (signal?.aborted === true && error !== undefined) return; // whoever is next tells it
        if (error !== undefined) tell(`${one.url} wasn't told that run ${one.run} ${one.kind}: ${error}`);
        await notificationTold(database, one.id, error);
      }),
    );
  }
}

/** What is posted, as JSON. */
function bodyOf(
  { kind, pipeline, run, keys, status, error, createdAt, startedAt, endedAt }: Notification,
  uiUrl: string | undefined,
): object {
  const link = uiUrl === undefined ? {} : { url: `${uiUrl.replace(/\/$/, "")}/runs/${run}` };
  return { kind, pipeline, run, keys, status, error, createdAt, startedAt, endedAt, ...link };
}

/** @returns why it couldn't be posted, or undefined. */
async function post(
  notification: Notification,
  uiUrl: string | undefined,
  stopped: AbortSignal | undefined,
): Promise<string | undefined> {
  try {
    const answer = await fetch(notification.url, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(bodyOf(notification, uiUrl)),
      signal: AbortSignal.any([AbortSignal.timeout(ANSWER_MS), ...(stopped === undefined ? [] : [stopped])]),
    });
    await answer.body?.cancel();
    return answer.ok ? undefined : `it answered ${answer.status}`;
  } catch (error) {
    const { cause, message } = error as Error;
    return cause instanceof Error ? cause.message : message;
  }
}
