/**
 * The program that owns a folder's server: it makes the cluster, starts Postgres, and ends it when nobody is connected any more. Users hold
 * a connection each, which the kernel closes however they end. It is started by `launch.ts`, with its socket as file 3.
 */
import { createServer } from "node:net";
import { barrierSentence, serverAccount, type Account } from "./account.ts";
import { makeCluster } from "./cluster.ts";
import { failureSentence } from "./failure.ts";
import { removeOldSockets } from "./guardian-socket.ts";
import type { Charge } from "./launch.ts";
import type { Answer } from "./messages.ts";
import { endOrphan } from "./orphan.ts";
import { dataOf } from "./places.ts";
import { startServer, type Server } from "./server.ts";
import { ServerLog } from "./server-log.ts";
import { Visitors } from "./visitors.ts";

/** How often a server that was killed is started again. */
const DEATHS_MAX = 5;

const { home, number, binaries, lingerMs } = JSON.parse(process.argv[2]!) as Charge;
const socket = createServer();
const visitors = new Visitors(socket);
const terminated = new Promise<void>((resolve) => void process.on("SIGTERM", resolve).on("SIGINT", resolve));
socket.listen({ fd: 3 });
await visitors.dismiss(await guard());
process.exit();

/** @returns what users are told at the end. Without it, they start another guardian. */
async function guard(): Promise<Answer | undefined> {
  const log = new ServerLog(home);
  let account: Account | undefined;
  try {
    account = serverAccount(home);
    removeOldSockets(home, number);
    await makeCluster(home, binaries, account, log);
    for (let deaths = 0; deaths < DEATHS_MAX;) {
      await endOrphan(dataOf(home));
      const why = await serve(await startServer(home, binaries, account, log));
      if (why === "stopped") return { state: "stopped", users: visitors.userCount };
      if (why === "terminated") return undefined;
      if (why === "died") deaths++;
      else if (visitors.isEmpty) return undefined; // else someone came while it was ending
    }
    return undefined;
  } catch (error) {
    const barrier = barrierSentence(account, dataOf(home)) ?? barrierSentence(account, binaries);
    return { state: "failed", sentence: barrier ?? failureSentence(home, [...log.lines, (error as Error).message]) };
  }
}

/** Lets users use the server, until it isn't needed any more. */
async function serve(server: Server): Promise<"gone" | "stopped" | "terminated" | "died"> {
  visitors.setReady(true);
  const why = await Promise.race([
    visitors.gone(lingerMs).then(() => "gone" as const),
    visitors.stopAsked.then(() => "stopped" as const),
    terminated.then(() => "terminated" as const),
    server.ended.then(() => "died" as const),
  ]);
  visitors.setReady(false);
  await server.stop();
  return why;
}
