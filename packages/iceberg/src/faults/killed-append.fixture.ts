/**
 * A process that appends rows to table `a.t`, and kills itself: before the nth time that it changes something on the disk, in the midst of what it writes
 * then, or while DuckDB writes the data file.
 */
import { watch } from "node:fs";
import promises from "node:fs/promises";
import { syncBuiltinESMExports } from "node:module";
import type { CatalogOptions } from "../catalog/open.ts";

const [lake = "", options = "", at = ""] = process.argv.slice(2);

const die = () => process.kill(process.pid, "SIGKILL");

let steps = 0;
let isCounting = false;
function step(): void {
  if (isCounting && ++steps === Number(at)) die();
}

for (const name of ["mkdir", "rename", "link", "rm", "rmdir", "unlink"] as const) {
  const original = promises[name] as (...words: unknown[]) => Promise<unknown>;
  Object.assign(promises, {
    [name]: async (...words: unknown[]) => {
      step();
      return await original(...words);
    },
  });
}
const { open } = promises;
promises.open = async (path, flags, mode) => {
  if (flags === undefined || flags === "r") return await open(path, flags, mode);
  step();
  const handle = await open(path, flags, mode);
  const whole = handle.writeFile.bind(handle);
  handle.writeFile = async (data) => {
    const bytes = Buffer.from(data as Uint8Array);
    await whole(bytes.subarray(0, bytes.length / 2));
    step();
    await whole(bytes.subarray(bytes.length / 2));
  };
  return handle;
};
syncBuiltinESMExports();

const { openCatalog } = await import("../catalog/open.ts");
await using catalog = openCatalog(lake, JSON.parse(options) as CatalogOptions);
const table = await catalog.loadTable("a.t");
isCounting = true;
if (at === "copy") {
  watch(`${table.location}/data`, { recursive: true }, (_, name) => name?.endsWith(".parquet") && die());
  await table.append(table.engine.sql`select range as n from range(10000000)`);
} else await table.append([{ n: 10 }, { n: 11 }]);
