/** A process that takes the lock of a file, says so, and keeps it: until it is killed. */
import { withLock } from "./lock.ts";

await withLock(process.argv[2]!, undefined, async () => {
  process.stdout.write("held\n");
  return await new Promise<never>(() => setInterval(() => undefined, 60_000));
});
