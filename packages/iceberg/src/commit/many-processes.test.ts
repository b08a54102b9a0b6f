import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { text } from "node:stream/consumers";
import type { ObjectStoreOptions } from "@orcajs/objectstore";
import { expect, it } from "vitest";
import { ACCESS_KEY, SECRET_KEY, startS3 } from "../../../objectstore/src/s3/s3-server.fixture.ts";
import { openCatalog } from "../catalog/open.ts";
import { removeOrphans } from "../maintenance/remove-orphans.ts";
import { planFiles } from "../scan/plan.ts";

const [PROCESSES, APPENDS] = [20, 3];

/** The paths that it has appended. */
async function appender(location: string, options: ObjectStoreOptions, name: string): Promise<readonly string[]> {
  const fixture = path.join(import.meta.dirname, "appender.fixture.ts");
  const child = spawn(process.execPath, [fixture, location, JSON.stringify(options), name, String(APPENDS)], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const [said, [code]] = (await Promise.all([text(child.stdout), once(child, "exit")])) as [string, [number | null]];
  expect(code).toBe(0);
  return said.split("\n").slice(0, -1);
}

/** What twenty processes have appended to one table, what it has then, and what else is in its folder. */
async function afterAppends(lake: string, options: ObjectStoreOptions) {
  await using catalog = openCatalog(lake, options);
  await catalog.createNamespace("a");
  const { location } = await catalog.createTable("a.t", { columns: { id: "long" } });
  const said = await Promise.all(Array.from({ length: PROCESSES }, (_, i) => appender(location, options, `p${i}`)));
  const { state, operations } = await catalog.loadTable("a.t");
  const { tasks } = await planFiles({ state, files: operations.files });
  const later = { olderThan: new Date(Date.now() + 60_000), allowsRecent: true, isDryRun: true };
  return {
    said: said.flat().toSorted(),
    has: tasks.map(({ file }) => file.file.path).toSorted(),
    snapshots: state.metadata.snapshots.length,
    orphans: await removeOrphans(operations, later),
  };
}

it("of twenty processes that append to one table in a folder none loses or doubles anything, or leaves anything", async () => {
  const folder = await mkdtemp(path.join(tmpdir(), "many-processes-"));
  const { said, ...after } = await afterAppends(folder, {});
  expect(after).toEqual({ has: said, snapshots: PROCESSES * APPENDS, orphans: [] });
  await rm(folder, { recursive: true });
}, 120_000);

it("of twenty processes that append to one table in S3 none loses or doubles anything, or leaves anything", async () => {
  await using server = await startS3("lake");
  const { said, ...after } = await afterAppends("s3://lake", {
    s3: {
      endpoint: server.endpoint,
      region: "eu-west-1",
      credentials: { accessKeyId: ACCESS_KEY, secretAccessKey: SECRET_KEY },
    },
  });
  expect(after).toEqual({ has: said, snapshots: PROCESSES * APPENDS, orphans: [] });
}, 120_000);
