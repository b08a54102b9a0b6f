import { randomUUID } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { describe } from "vitest";
import { ACCESS_KEY, SECRET_KEY, startS3 } from "../../../objectstore/src/s3/s3-server.fixture.ts";
import { TableFiles } from "../files/table-files.ts";
import type { Catalog } from "./catalog.ts";
import { itConforms } from "./conformance/conformance.fixture.ts";
import { damageConforms } from "./conformance/damage.fixture.ts";
import { renamesConform } from "./conformance/renames.fixture.ts";
import type { TestCatalog } from "./conformance/test-catalog.fixture.ts";
import { type CatalogOptions, openCatalog } from "./open.ts";
import { startRest } from "./rest/rest-server.fixture.ts";

describe("a catalog in a folder", () => {
  itConforms(async () => {
    const folder = await mkdtemp(path.join(tmpdir(), "iceberg-catalog-"));
    return opened(path.join(folder, "my lake"), {}, () => rm(folder, { recursive: true }));
  }, damageConforms);
});

describe("a catalog in a folder by its URL", () => {
  itConforms(async () => {
    const folder = await mkdtemp(path.join(tmpdir(), "iceberg-catalog-"));
    return opened(pathToFileURL(path.join(folder, "my lake")).href, {}, () => rm(folder, { recursive: true }));
  });
});

describe("a catalog in memory", () => {
  itConforms(async () => opened(`memory:${randomUUID()}/lake`, {}, async () => undefined), damageConforms);
});

describe("a catalog in S3", () => {
  itConforms(async () => {
    const server = await startS3("lake");
    const credentials = { accessKeyId: ACCESS_KEY, secretAccessKey: SECRET_KEY };
    return opened(`s3://lake/some/prefix?endpoint=${server.endpoint}&region=eu-west-1`, { s3: { credentials } }, () =>
      server[Symbol.asyncDispose](),
    );
  }, damageConforms);
});

describe.each([undefined, "warehouses/main"])("a REST catalog of prefix %j", (prefix) => {
  itConforms(async () => {
    const server = await startRest({ warehouse: `memory:${randomUUID()}/lake`, prefix, credential: "me:secret" });
    return opened(`rest+${server.endpoint}`, { rest: { credential: "me:secret", warehouse: "main" } }, () =>
      server[Symbol.asyncDispose](),
    );
  }, renamesConform);
});

function opened(location: string, options: CatalogOptions, end: () => PromiseLike<unknown>): TestCatalog {
  const catalogs: Catalog[] = [];
  const another = () => {
    const catalog = openCatalog(location, options);
    catalogs.push(catalog);
    return catalog;
  };
  const endpoint = /endpoint=([^&]*)/.exec(location)?.[1];
  const files = new TableFiles({ ...options, s3: { ...options.s3, endpoint, region: "eu-west-1" } });
  return {
    catalog: another(),
    another,
    files,
    async [Symbol.asyncDispose]() {
      for (const catalog of catalogs) await catalog[Symbol.asyncDispose]();
      await files[Symbol.asyncDispose]();
      await end();
    },
  };
}
