/** Asks the programs of sensors what their datasets and keys are now: the scheduler itself reads no table. */
import {
  queueNewKeys,
  recordAsked,
  sensorsToAsk,
  sensorsWithNewKeys,
  takeSaid,
  type AskedFor,
  type AskedProgram,
} from "../state/sensing.ts";
import { keysOfProgram, senseProgram } from "./programs.ts";
import type { Scheduling } from "./tick.ts";

/** So many programs run at once for it. */
const AT_ONCE = 4;

/** Asks those whose turn it is, each once for its snapshots. What one of them can't say is told and on record, and it is asked again when it is its turn. */
export async function askPrograms(scheduling: Scheduling): Promise<void> {
  const { database, senseMs } = scheduling;
  const asked = new Set<string>(); // that take longer to answer than until it is their turn again
  while (scheduling.signal?.aborted !== true) {
    const [sensors, changed] = await Promise.all([
      sensorsToAsk(database, senseMs, AT_ONCE),
      sensorsWithNewKeys(database, senseMs, AT_ONCE),
    ]);
    const toAsk = sensors.filter(({ pipeline }) => !asked.has(pipeline));
    for (const { pipeline } of toAsk) asked.add(pipeline);
    const keysAsked = changed.filter(({ pipeline, changedAt }) => !asked.has(`${pipeline} ${changedAt}`));
    for (const { pipeline, changedAt } of keysAsked) asked.add(`${pipeline} ${changedAt}`);
    if (toAsk.length + keysAsked.length === 0) return;
    await Promise.all([
      ...toAsk.map((one) => recorded(scheduling, one, "snapshots", () => askSnapshots(scheduling, one))),
      ...keysAsked.map((one) => recorded(scheduling, one, "keys", () => askKeys(scheduling, one))),
    ]);
  }
}

async function askSnapshots(
  { database, env, now, signal }: Scheduling,
  { pipeline, program }: AskedProgram,
): Promise<void> {
  await takeSaid(database, pipeline, await senseProgram(program, { env, signal }), now());
}

async function askKeys(
  { database, env, signal }: Scheduling,
  { pipeline, program, changedAt }: AskedProgram & { readonly changedAt: string },
): Promise<void> {
  await queueNewKeys(database, pipeline, { keys: await keysOfProgram(program, { env, signal }), changedAt });
}

async function recorded(
  { database, tell, signal }: Scheduling,
  asked: AskedProgram,
  what: AskedFor,
  ask: () => Promise<void>,
): Promise<void> {
  const error = await ask().then(
    () => undefined,
    (thrown: Error) => thrown.message,
  );
  if (signal?.aborted === true) return;
  if (error !== undefined) tell(`${asked.pipeline}: ${error}`);
  await recordAsked(database, asked, what, error);
}
