/**
 * Appends of many processes to one table at once, in a folder and in S3: no snapshot and no row may be lost or doubled.
 *
 *     npm run chaos:tables                          20 processes with 50 appends each
 *     npm run chaos:tables -- --processes 8 --appends 10
 *
 * S3 is a stand-in on this machine, with conditional writes as S3 has them.
 */
import { deepEqual } from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { parseArgs } from "node:util";
import type { CatalogOptions } from "../../packages/iceberg/src/catalog/open.ts";
import { afterAppends, wholeAfter } from "../../packages/iceberg/src/faults/many-appends.fixture.ts";
import { ACCESS_KEY, SECRET_KEY, startS3 } from "../../packages/objectstore/src/s3/s3-server.fixture.ts";

const { values } = parseArgs({
  options: { processes: { type: "string", default: "20" }, appends: { type: "string", default: "50" } },
});
const size = { processes: Number(values.processes), appends: Number(values.appends) };

const folder = await mkdtemp(path.join(tmpdir(), "chaos-tables-"));
await check("a folder", folder, {});
await rm(folder, { recursive: true });

await using server = await startS3("lake");
const credentials = { accessKeyId: ACCESS_KEY, secretAccessKey: SECRET_KEY };
await check("S3", "s3://lake", { s3: { endpoint: server.endpoint, region: "eu-west-1", credentials } });

async function check(what: string, lake: string, options: CatalogOptions): Promise<void> {
  const startedAt = performance.now();
  const after = await afterAppends(lake, options, size);
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(0);
  deepEqual(after, wholeAfter(size));
  console.log(
    `${what}: ${after.snapshots} appends of ${size.processes} processes, with ${after.rows} rows, in ${seconds} s`,
  );
}
