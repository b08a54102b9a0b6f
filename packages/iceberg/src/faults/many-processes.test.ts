import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect, it } from "vitest";
import { ACCESS_KEY, SECRET_KEY, startS3 } from "../../../objectstore/src/s3/s3-server.fixture.ts";
import { afterAppends, wholeAfter } from "./many-appends.fixture.ts";

/** `npm run chaos:tables` does the same with 50 appends of each. */
const TWENTY = { processes: 20, appends: 3 };

it("of twenty processes that append rows to one table in a folder none loses or doubles any, or leaves anything", async () => {
  const folder = await mkdtemp(path.join(tmpdir(), "many-processes-"));
  expect(await afterAppends(folder, {}, TWENTY)).toEqual(wholeAfter(TWENTY));
  await rm(folder, { recursive: true });
}, 120_000);

it("of twenty processes that append rows to one table in S3 none loses or doubles any, or leaves anything", async () => {
  await using server = await startS3("lake");
  const credentials = { accessKeyId: ACCESS_KEY, secretAccessKey: SECRET_KEY };
  const options = { s3: { endpoint: server.endpoint, region: "eu-west-1", credentials } };
  expect(await afterAppends("s3://lake", options, TWENTY)).toEqual(wholeAfter(TWENTY));
}, 120_000);
