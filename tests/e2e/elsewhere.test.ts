/** Tables outside of the warehouse, by their locations: in a recorded run, in a folder and in S3. */
import path from "node:path";
import { createTable, openTable } from "@orcajs/iceberg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ACCESS_KEY, type S3Server, SECRET_KEY, startS3 } from "../../packages/objectstore/src/s3/s3-server.fixture.ts";
import { testDatabase, type TestDatabase } from "../postgres.ts";
import { call, callOrca, workFolder } from "./programs.ts";

const work = workFolder();
const program = path.join(work.path, "elsewhere");
const region = "eu-west-1";
let server: S3Server;
beforeAll(async () => {
  server = await startS3("other");
  const file = path.join(import.meta.dirname, "fixtures/elsewhere.ts");
  await callOrca(["build", file, "-o", program], { env: { ELSEWHERE: "/anywhere" } });
});
afterAll(async () => {
  await server[Symbol.asyncDispose]();
  work[Symbol.dispose]();
});

describe.each([
  ["a folder", path.join(work.path, "reference")],
  ["S3", "s3://other/deep/reference"],
])("tables in %s", (_where, elsewhere) => {
  let test: TestDatabase;
  beforeAll(async () => void (test = await testDatabase()));
  afterAll(() => test[Symbol.asyncDispose]());

  const s3 = () => {
    const credentials = { accessKeyId: ACCESS_KEY, secretAccessKey: SECRET_KEY };
    return { s3: { endpoint: server.endpoint, region, credentials } };
  };
  const env = (warehouse: string | undefined) => ({
    ELSEWHERE: elsewhere,
    ORCA_DATABASE_URL: test.url,
    ORCA_WAREHOUSE: warehouse ?? "",
    AWS_ENDPOINT_URL_S3: server.endpoint,
    AWS_REGION: region,
    AWS_ACCESS_KEY_ID: ACCESS_KEY,
    AWS_SECRET_ACCESS_KEY: SECRET_KEY,
  });
  const rowsOf = async (name: string) => {
    await using table = await openTable(`${elsewhere}/${name}`, s3());
    return { rows: await table.scan().toArray(), snapshots: table.snapshots().length };
  };

  it("are read and written once, recorded by their locations, and walked through by lineage", async () => {
    await using theirs = await createTable(`${elsewhere}/theirs`, { columns: { n: "long" }, ...s3() });
    await theirs.append([{ n: 3 }, { n: 4 }]);
    const read = String(theirs.scan().snapshot!["snapshot-id"]);
    const ended = await call(program, ["run", "--partitions", "2024-05-01"], {
      env: env(path.join(work.path, "lake")),
    });
    expect(ended.code, ended.stdout + ended.stderr).toBe(0);
    expect(await rowsOf("report")).toEqual({ rows: [{ n: 7n }], snapshots: 1 });

    const recorded = await test.sql(`
      select distinct 'read' as what, step, dataset, location from orca.reads
      union select distinct 'commit', step, dataset, location from orca.commits`);
    const at = (name: string) => ({ dataset: `${elsewhere}/${name}`, location: `${elsewhere}/${name}` });
    const ours = { dataset: "lake.ours", location: path.join(work.path, "lake/lake/ours") };
    const expected = [
      { what: "read", step: "copy", ...at("theirs") },
      { what: "read", step: "sum", ...at("theirs") },
      { what: "read", step: "sum", ...ours },
      { what: "commit", step: "copy", ...ours },
      { what: "commit", step: "sum", ...at("report") },
    ];
    expect(new Set(recorded)).toEqual(new Set(expected));
    const { stdout } = await callOrca(["lineage", `${elsewhere}/report`], { env: env(undefined) });
    expect(stdout.split("\n")[2]).toMatch(
      new RegExp(`^  0 ${elsewhere}/report@\\d+ by elsewhere run 1 sum code \\S+ from .*${elsewhere}/theirs@${read}`),
    );
    const forward = await callOrca(["lineage", `${elsewhere}/theirs@${read}`, "--json"], { env: env(undefined) });
    const { madeOfIt } = JSON.parse(forward.stdout) as { readonly madeOfIt: readonly { readonly dataset: string }[] };
    expect(new Set(madeOfIt.map(({ dataset }) => dataset))).toEqual(new Set(["lake.ours", `${elsewhere}/report`]));
  });

  it("are where they are without a warehouse too, whose tables are in memory", async () => {
    const ended = await call(program, ["run", "--partitions", "2024-05-02"], { env: env(undefined) });
    expect(ended.code, ended.stdout + ended.stderr).toBe(0);
    expect(await rowsOf("report")).toEqual({ rows: [{ n: 7n }, { n: 7n }], snapshots: 2 });
  });
});
