/**
 * A process of its own, whose peak of memory is one append or one scan's.
 *
 *     node table-memory.ts append|scan FOLDER ROWS
 *
 * Prints the most memory that it had, in MiB.
 */
import { openCatalog } from "@orcajs/iceberg";

const [command, folder, rows] = process.argv.slice(2);
await using catalog = openCatalog(folder!, { engine: { memoryLimit: "512MB" } });
if (command === "append") {
  await catalog.createNamespace("bench");
  const table = await catalog.createTable("bench.large", { columns: { id: "long", n: "double", name: "string" } });
  await table.append(
    table.engine.sql`select i as id, i / 7 as n, 'name ' || i % 100000 as name from range(${Number(rows)}) as t(i)`,
  );
} else {
  const table = await catalog.loadTable("bench.large");
  let count = 0;
  for await (const batch of table.scan().batches()) count += batch.rowCount;
  if (count !== Number(rows)) throw new Error(`the scan gave ${count} rows`);
}
console.log(process.resourceUsage().maxRSS / 1024);
