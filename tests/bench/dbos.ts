/** Steps that do nothing in DBOS Transact: prints how many a second. `node dbos.ts <database's URL> <steps> <at once>` */
import { DBOS } from "@dbos-inc/dbos-sdk";

const [url, steps, atOnce] = [process.argv[2]!, Number(process.argv[3]), Number(process.argv[4])];
DBOS.setConfig({ name: "bench", systemDatabaseUrl: url, logLevel: "error", runAdminServer: false });

const workflow = DBOS.registerWorkflow(
  async () => {
    const queue = Array.from({ length: steps }, (_, i) => i).values();
    const worker = async () => {
      for (const i of queue) await DBOS.runStep(async () => i, { name: `step-${i}` });
    };
    await Promise.all(Array.from({ length: atOnce }, worker));
  },
  { name: "nothing" },
);

await DBOS.launch();
const startedAt = performance.now();
await workflow();
console.log(JSON.stringify({ perSecond: (steps / (performance.now() - startedAt)) * 1000 }));
await DBOS.shutdown();
