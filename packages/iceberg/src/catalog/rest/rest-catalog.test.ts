import { randomUUID } from "node:crypto";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { ACCESS_KEY, SECRET_KEY, startS3 } from "../../../../objectstore/src/s3/s3-server.fixture.ts";
import type { Catalog } from "../catalog.ts";
import { appending } from "../conformance/commits.fixture.ts";
import { COLUMNS, outcomeOf } from "../conformance/test-catalog.fixture.ts";
import { type CatalogOptions, openCatalog } from "../open.ts";
import type { RestRequest } from "./rest-messages.fixture.ts";
import { type RestFault, type RestServer, type RestServerOptions, startRest } from "./rest-server.fixture.ts";

const commits = ({ method, path }: RestRequest) => method === "POST" && /\/tables\/./.test(path);
const loads = ({ method, path }: RestRequest) => method === "GET" && /\/tables\/./.test(path);
const tokenRequests = ({ path }: RestRequest) => path.endsWith("/oauth/tokens");
const HTML = { do: "say", text: "<html>Log in</html>", contentType: "text/html", isApplied: false } as const;
const STRANGE = { do: "say", text: '{"metadata":{}}', contentType: "application/json", isApplied: false } as const;
const down = { do: "answer", status: 503 } as const;

let resources: AsyncDisposableStack;
beforeEach(() => {
  resources = new AsyncDisposableStack();
});
afterEach(() => resources.disposeAsync());

async function start(
  options: Partial<RestServerOptions> = {},
  rest: CatalogOptions["rest"] = {},
): Promise<{ server: RestServer; catalog: Catalog }> {
  const server = resources.use(await startRest({ warehouse: `memory:${randomUUID()}`, ...options }));
  const catalog = resources.use(openCatalog(`rest+${server.endpoint}`, { rest: { retryMilliseconds: 1, ...rest } }));
  return { server, catalog };
}

async function startWithTable() {
  const { server, catalog } = await start();
  await catalog.createNamespace("a");
  const table = await catalog.createTable("a.t", { columns: COLUMNS });
  server.requests.length = 0;
  return { server, catalog, table };
}

describe("authorisation", () => {
  it("is by a bearer token", async () => {
    const { catalog, server } = await start({ token: "t0ken" }, { token: "t0ken" });
    await catalog.createNamespace("a");
    expect(await catalog.listNamespaces()).toEqual(["a"]);
    expect(server.requests.filter(tokenRequests)).toEqual([]);
  });

  it("that is refused is said, without the token", async () => {
    const { catalog } = await start({ token: "t0ken" }, { token: "wr0ng" });
    const error: Error = await catalog.listNamespaces().then(
      () => expect.unreachable(),
      (e: Error) => e,
    );
    expect(error).toMatchObject({ code: "catalog-failed", message: expect.stringContaining("401") });
    expect(error.message).not.toContain("wr0ng");
  });

  it("is by a client's credential, with one token for all requests at once", async () => {
    const { catalog, server } = await start({ credential: "me:s3cret" }, { credential: "me:s3cret", scope: "lake" });
    await Promise.all([catalog.createNamespace("a"), catalog.createNamespace("b"), catalog.createNamespace("c")]);
    const asked = server.requests.filter(tokenRequests);
    expect(asked).toHaveLength(1);
    expect(Object.fromEntries(new URLSearchParams(asked[0]!.text))).toEqual({
      grant_type: "client_credentials",
      client_id: "me",
      client_secret: "s3cret",
      scope: "lake",
    });
  });

  it("by a credential that is refused is said, without the secret", async () => {
    const { catalog } = await start({ credential: "me:s3cret" }, { credential: "me:wr0ng" });
    const error: Error = await catalog.listNamespaces().then(
      () => expect.unreachable(),
      (e: Error) => e,
    );
    expect(error).toMatchObject({ code: "catalog-failed", message: expect.stringContaining("401 (invalid_client)") });
    expect(error.message).not.toContain("wr0ng");
  });

  it("is renewed before a token is over, without a request that is refused", async () => {
    const { catalog, server } = await start({ credential: "me:s3cret", tokenSeconds: 0 }, { credential: "me:s3cret" });
    await catalog.createNamespace("a");
    await catalog.listNamespaces();
    // one for the configuration too
    expect(server.requests.filter(tokenRequests)).toHaveLength(3);
  });

  it("is renewed when a token is refused, and the request sent again: a commit is made once", async () => {
    const { catalog, server } = await start({ credential: "me:s3cret" }, { credential: "me:s3cret" });
    await catalog.createNamespace("a");
    const table = await catalog.createTable("a.t", { columns: COLUMNS });
    server.revokeTokens();
    await table.operations.commit(table.state, appending(table.state, 1n));
    server.fail(commits, { do: "answer", status: 419, type: "AuthenticationTimeoutException" });
    await table.setProperties({ a: "1" });
    expect(server.requests.filter(tokenRequests)).toHaveLength(3);
    expect((await catalog.loadTable("a.t")).metadata).toMatchObject({ snapshots: [{}], properties: { a: "1" } });
  });

  it("may be at another server", async () => {
    const tokens = resources.use(await startRest({ warehouse: "memory:none", credential: "me:s3cret" }));
    const rest = { credential: "me:s3cret", oauth2ServerUri: `${tokens.endpoint}/v1/oauth/tokens` };
    const { catalog } = await start({ token: "t0ken" }, rest);
    expect(await outcomeOf(catalog.listNamespaces())).toBe("catalog-failed");
    expect(tokens.requests.filter(tokenRequests)).toHaveLength(2);
  });
});

describe("a commit", () => {
  it.each<[string, RestFault]>([
    ["500", { do: "answer", status: 500, isApplied: true }],
    ["502", { do: "answer", status: 502, isApplied: true }],
    ["503", { do: "answer", status: 503, isApplied: true }],
    ["504", { do: "answer", status: 504, isApplied: true }],
    ["the connection is reset", { do: "reset", isApplied: true }],
    ["a page of HTML", { ...HTML, isApplied: true }],
    ["something else than a table", { ...STRANGE, isApplied: true }],
    ["409, as something between sent it again", { do: "answer", status: 409, isApplied: true }],
  ])("that was applied, and answered by %s, has succeeded", async (_, fault) => {
    const { server, catalog, table } = await startWithTable();
    server.fail(commits, fault);
    const state = await table.operations.commit(table.state, appending(table.state, 2n ** 62n + 1n));
    expect(state.metadata["current-snapshot-id"]).toBe(2n ** 62n + 1n);
    server.fail(commits, fault);
    await table.setProperties({ a: "1" });
    server.fail(commits, fault);
    await table.changeSchema([{ change: "add", column: "x", type: "int?" }]);
    const { metadata } = await catalog.loadTable("a.t");
    expect(metadata).toMatchObject({ snapshots: [{}], properties: { a: "1" }, schemas: [{}, {}] });
    expect(server.requests.filter(commits)).toHaveLength(3);
  });

  it.each<[string, RestFault]>([
    ["503", down],
    ["the connection is reset", { do: "reset", isApplied: false }],
  ])("that wasn't applied, and answered by %s, is sent again", async (_, fault) => {
    const { server, table } = await startWithTable();
    server.fail(commits, fault, fault);
    await table.setProperties({ a: "1" });
    expect(table.properties).toMatchObject({ a: "1" });
    expect(server.requests.filter(commits)).toHaveLength(3);
  });

  it("that wasn't applied, and can't be any more, is a conflict", async () => {
    const { server, catalog, table } = await startWithTable();
    const other = await catalog.loadTable("a.t");
    await other.operations.commit(other.state, appending(other.state, 1n));
    server.fail(commits, down);
    expect(await outcomeOf(table.operations.commit(table.state, appending(table.state, 2n)))).toBe("commit-conflict");
  });

  it.each([409, 400])("whose reply was lost isn't known to be refused by a %i that comes then", async (status) => {
    const { server, table } = await startWithTable();
    server.fail(commits, down, { do: "answer", status });
    server.fail(
      ({ method, path }) => method === "GET" && path.endsWith("/t") && server.requests.filter(commits).length === 2,
      ...Array.from({ length: 5 }, () => down),
    );
    expect(await outcomeOf(table.setProperties({ a: "1" }))).toBe("commit-unknown");
  });

  it("of columns whose reply was lost isn't known to be applied if others have changed them since", async () => {
    const { server, catalog, table } = await startWithTable();
    const other = await catalog.loadTable("a.t");
    await other.changeSchema([{ change: "add", column: "y", type: "int?" }]);
    server.fail(commits, down);
    expect(await outcomeOf(table.changeSchema([{ change: "add", column: "x", type: "int?" }]))).toBe("commit-unknown");
  });

  it("isn't known to be applied while the catalog doesn't answer", async () => {
    const { server, table } = await startWithTable();
    server.fail(commits, down);
    server.fail(loads, down, down, down, down, down);
    await expect(table.setProperties({ a: "1" })).rejects.toMatchObject({
      code: "commit-unknown",
      message: expect.stringContaining("table a.t"),
    });
  });

  it("isn't known to be applied when it is refused for ever, as the last may still come", async () => {
    const { server, table } = await startWithTable();
    server.fail(commits, down, down, down, down, down);
    expect(await outcomeOf(table.setProperties({ a: "1" }))).toBe("commit-unknown");
    expect(server.requests.filter(commits)).toHaveLength(5);
  });

  it("that the catalog refuses as wrong is an error that says why", async () => {
    const { table } = await startWithTable();
    const change = { requirements: [], updates: [{ action: "set-current-schema", "schema-id": 9 }] } as const;
    await expect(table.operations.commit(table.state, change)).rejects.toMatchObject({
      code: "catalog-failed",
      message: expect.stringContaining("can't commit to table a.t: it answered 400, the table has no schema-id 9"),
    });
  });
});

describe("requests", () => {
  it("that read are sent again after failures that pass", async () => {
    const { server, catalog } = await startWithTable();
    server.fail(loads, down, { do: "reset", isApplied: false }, { do: "answer", status: 429 });
    await catalog.loadTable("a.t");
    server.fail(({ path }) => path.endsWith("/namespaces"), down, down);
    expect(await catalog.listNamespaces()).toEqual(["a"]);
  });

  it("that fail for ever are an error", async () => {
    const { server, catalog } = await startWithTable();
    server.fail(loads, down, down, down, down, down);
    await expect(catalog.loadTable("a.t")).rejects.toMatchObject({
      code: "catalog-failed",
      message: expect.stringContaining("can't load table a.t: it answered 503"),
    });
    expect(server.requests.filter(loads)).toHaveLength(5);
  });

  it("to a server that isn't there are an error", async () => {
    const { server, catalog } = await startWithTable();
    await server[Symbol.asyncDispose]();
    await expect(catalog.loadTable("a.t")).rejects.toMatchObject({
      code: "catalog-failed",
      message: expect.stringContaining(`the catalog at ${server.endpoint} can't be reached`),
    });
    await expect(catalog.listNamespaces()).rejects.toMatchObject({ code: "catalog-failed" });
  });

  it.each<[string, RestFault]>([
    ["a page of HTML", HTML],
    ["JSON of another form", { ...STRANGE, text: '{"namespaces":7,"identifiers":7,"defaults":7}' }],
    ["a list", { ...STRANGE, text: "[1]" }],
    ["JSON that is cut off", { ...STRANGE, text: '{"namespaces":' }],
  ])("that are answered by %s are an error", async (_, fault) => {
    const { server, catalog } = await startWithTable();
    server.fail(({ method }) => method === "GET", fault);
    await expect(catalog.listNamespaces()).rejects.toMatchObject({
      code: "catalog-failed",
      message: expect.stringContaining("isn't what a REST catalog does"),
    });
    server.fail(loads, fault);
    expect(["catalog-failed", "invalid-metadata"]).toContain(await outcomeOf(catalog.loadTable("a.t")));
    const another = openCatalog(`rest+${server.endpoint}`);
    server.fail(({ path }) => path === "/v1/config", fault);
    expect(["catalog-failed", "invalid-metadata"]).toContain(await outcomeOf(another.listNamespaces()));
    expect(await another.listNamespaces()).toEqual(["a"]);
  });

  it("that load metadata that isn't right name the table", async () => {
    const { server, catalog } = await startWithTable();
    server.fail(loads, STRANGE);
    await expect(catalog.loadTable("a.t")).rejects.toMatchObject({
      code: "invalid-metadata",
      message: "table a.t, as its catalog has it: format-version is missing: an integer was expected",
    });
  });

  it("that create a table, and whose reply is lost, leave it unknown", async () => {
    const { server, catalog } = await startWithTable();
    server.fail(({ method, path }) => method === "POST" && path.endsWith("/tables"), { do: "reset", isApplied: true });
    expect(await outcomeOf(catalog.createTable("a.u", { columns: COLUMNS }))).toBe("commit-unknown");
    expect(await catalog.tableExists("a.u")).toBe(true);
  });

  it("after a configuration that failed ask for it again", async () => {
    const { server, catalog } = await start();
    server.fail(({ path }) => path === "/v1/config", { do: "answer", status: 404 });
    expect(await outcomeOf(catalog.listNamespaces())).toBe("catalog-failed");
    expect(await catalog.listNamespaces()).toEqual([]);
  });

  it("end with the signal's reason", async () => {
    const { server, catalog } = await startWithTable();
    const controller = new AbortController();
    server.fail(loads, ...Array.from({ length: 4 }, () => down));
    const loading = catalog.loadTable("a.t", { signal: controller.signal });
    controller.abort(new Error("enough"));
    await expect(loading).rejects.toThrow("enough");
    await expect(catalog.listNamespaces(undefined, { signal: controller.signal })).rejects.toThrow("enough");
  });

  it("wait for a token or the configuration no longer than their own signals say, and others go on waiting", async () => {
    for (const when of [tokenRequests, ({ path }: RestRequest) => path === "/v1/config"]) {
      const { server, catalog } = await start({ credential: "me:s3cret" }, { credential: "me:s3cret" });
      const controller = new AbortController();
      const held = Promise.withResolvers<void>();
      server.fail(when, { do: "wait", until: held.promise });
      const [one, other] = [catalog.listNamespaces(undefined, controller), catalog.listNamespaces()];
      controller.abort(new Error("enough"));
      await expect(one).rejects.toThrow("enough");
      held.resolve();
      expect(await other).toEqual([]);
    }
  });

  it("carry the headers and the warehouse that are given", async () => {
    const server = resources.use(await startRest({ warehouse: "memory:none" }));
    const options = { rest: { headers: { "x-tenant": "7" } } };
    const catalog = resources.use(openCatalog(`rest+${server.endpoint}/v1/?warehouse=s3%3A%2F%2Flake`, options));
    await catalog.listNamespaces();
    expect(server.requests.map((r) => [r.path, r.query.get("warehouse"), r.headers["x-tenant"]])).toEqual([
      ["/v1/config", "s3://lake", "7"],
      ["/v1/namespaces", null, "7"],
    ]);
  });
});

describe("credentials that a catalog vends", () => {
  const vended = (endpoint: string, expiresAtMs: number, key = ACCESS_KEY) => ({
    config: { "s3.endpoint": endpoint, "client.region": "eu-west-1", "s3.path-style-access": "true" },
    "storage-credentials": [
      { prefix: "s3", config: { "s3.access-key-id": "WRONG", "s3.secret-access-key": "wrong" } },
      {
        prefix: "s3://lake/",
        config: {
          "s3.access-key-id": key,
          "s3.secret-access-key": SECRET_KEY,
          "s3.session-token": "session",
          "s3.session-token-expires-at-ms": String(expiresAtMs),
        },
      },
    ],
  });
  const startVending = async (expiresAtMs: () => number, key: () => string = () => ACCESS_KEY) => {
    const s3 = resources.use(await startS3("lake"));
    const own = {
      endpoint: s3.endpoint,
      region: "eu-west-1",
      credentials: { accessKeyId: ACCESS_KEY, secretAccessKey: SECRET_KEY },
    };
    const { server, catalog } = await start({
      warehouse: "s3://lake/wh",
      store: { s3: own },
      withTable: () => vended(s3.endpoint, expiresAtMs(), key()),
    });
    await catalog.createNamespace("a");
    return { s3, server, catalog };
  };

  it("are asked for, and used for the table's files", async () => {
    const { s3, server, catalog } = await startVending(() => Date.now() + 3_600_000);
    const table = await catalog.createTable("a.t", { columns: COLUMNS });
    await table.operations.files.write(`${table.location}/data/x`, "1");
    expect(server.requests.at(-1)!.headers["x-iceberg-access-delegation"]).toBe("vended-credentials");
    const put = s3.requests.at(-1)!;
    expect(put).toMatchObject({ method: "PUT", headers: { "x-amz-security-token": "session" } });
    const loaded = await catalog.loadTable("a.t");
    expect(loaded.operations.files).toBe(table.operations.files);
    expect(server.requests.filter(loads)).toHaveLength(1);
  });

  it("are fetched anew when they are over", async () => {
    let key = "OLDKEY";
    const { server, catalog } = await startVending(
      () => (key === "OLDKEY" ? Date.now() + 1000 : Date.now() + 3_600_000),
      () => key,
    );
    const table = await catalog.createTable("a.t", { columns: COLUMNS });
    key = ACCESS_KEY;
    await table.operations.files.write(`${table.location}/data/x`, "1");
    await table.operations.files.write(`${table.location}/data/y`, "1");
    expect(server.requests.filter(loads)).toHaveLength(1);
  });

  it("aren't asked for where others are given", async () => {
    const { server } = await startVending(() => 0);
    const s3 = resources.use(await startS3("lake"));
    const credentials = { accessKeyId: ACCESS_KEY, secretAccessKey: SECRET_KEY };
    const options = { s3: { credentials, endpoint: s3.endpoint } };
    const catalog = resources.use(openCatalog(`rest+${server.endpoint}`, options));
    const table = await catalog.createTable("a.t", { columns: COLUMNS });
    expect(server.requests.at(-1)!.headers).not.toHaveProperty("x-iceberg-access-delegation");
    await table.operations.files.write(`${table.location}/data/x`, "1");
    expect(s3.requests.at(-1)).toMatchObject({ method: "PUT" });
    expect(s3.requests.at(-1)!.headers).not.toHaveProperty("x-amz-security-token");
  });
});
