/** Asks the programs of sensors what their datasets and keys are now: the scheduler itself reads no table. */
import { queueNewKeys, sensorsToAsk, sensorsWithNewKeys, takeSaid, type AskedProgram } from "../state/sensing.ts";
import { keysOfProgram, senseProgram } from "./programs.ts";
import type { Scheduling } from "./tick.ts";

/** So many programs run at once for it. */
const AT_ONCE = 4;

/** Asks those whose turn it is. What one of them can't say is told, and it is asked again when it is its turn. */
export async function askPrograms(scheduling: Scheduling): Promise<void> {
  const { database, senseMs } = scheduling;
  for (;;) {
    const [toAsk, changed] = await Promise.all([
      sensorsToAsk(database, senseMs, AT_ONCE),
      sensorsWithNewKeys(database, AT_ONCE),
    ]);
    const asked = await Promise.all([
      ...toAsk.map((one) => told(scheduling, one, () => askSnapshots(scheduling, one))),
      ...changed.map((one) => told(scheduling, one, () => askKeys(scheduling, one))),
    ]);
    if (!asked.includes(true)) return; // or it would go on with what can't be asked
  }
}

async function askSnapshots({ database, env, now }: Scheduling, { pipeline, program }: AskedProgram): Promise<void> {
  await takeSaid(database, pipeline, await senseProgram(program, env), now());
}

async function askKeys(
  { database, env }: Scheduling,
  { pipeline, program, changedAt }: AskedProgram & { readonly changedAt: string },
): Promise<void> {
  await queueNewKeys(database, pipeline, { keys: await keysOfProgram(program, env), changedAt });
}

/** @returns whether it went well. */
async function told({ tell }: Scheduling, { pipeline }: AskedProgram, ask: () => Promise<void>): Promise<boolean> {
  try {
    await ask();
    return true;
  } catch (error) {
    tell(`${pipeline} can't be asked what it reads: ${(error as Error).message}`);
    return false;
  }
}
