/** A process that appends rows to table `a.t`, some a snapshot, when it is told to go. */
import { once } from "node:events";
import { type CatalogOptions, openCatalog } from "../catalog/open.ts";
import { ROWS } from "./many-appends.fixture.ts";

const [lake = "", options = "", writer = "", count = ""] = process.argv.slice(2);
await using catalog = openCatalog(lake, JSON.parse(options) as CatalogOptions);
const table = await catalog.loadTable("a.t");
await table.engine.sql`select 1`.toArray();
process.stdout.write("ready\n");
await once(process.stdin, "data");
process.stdin.destroy();
for (let append = 0; append < Number(count); append++) {
  const rows = Array.from({ length: ROWS }, (_, row) => ({ writer: Number(writer), append, row }));
  await table.append(rows, { properties: { append: `${writer}.${append}` } });
}
