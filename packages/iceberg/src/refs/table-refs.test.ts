import { afterAll, expect, it } from "vitest";
import { openCatalog } from "../catalog/open.ts";

const catalog = openCatalog("memory:table-refs", { engine: { threads: 1 } });
afterAll(async () => await catalog[Symbol.asyncDispose]());
await catalog.createNamespace("a");

it("branches and tags of a table are seen by its object as soon as they are changed", async () => {
  const table = await catalog.createTable("a.t", { columns: { n: "int" } });
  const rows = async (ref: string) =>
    (await table.scan<{ n: number }>({ snapshot: { ref } }).toArray()).map(({ n }) => n).toSorted((a, b) => a - b);
  const first = await table.append([{ n: 1 }]);
  await table.refs.createTag("v1");
  await table.refs.createBranch("audit");
  const audited = await table.append([{ n: 2 }], { branch: "audit" });
  expect([await rows("main"), await rows("v1"), await rows("audit")]).toEqual([[1], [1], [1, 2]]);

  await table.refs.fastForward("main", "audit");
  expect(await rows("main")).toEqual([1, 2]);
  await table.refs.rollbackTo({ id: first["snapshot-id"] });
  expect(await rows("main")).toEqual([1]);
  await table.append([{ n: 3 }]);
  await table.refs.cherryPick(audited["snapshot-id"]);
  expect(await rows("main")).toEqual([1, 2, 3]);

  await table.refs.replace("v1", audited["snapshot-id"]);
  expect(await rows("v1")).toEqual([1, 2]);
  await table.refs.setRetention("v1", { maxRefAgeMs: 1000 });
  expect(table.refs.all()["v1"]).toMatchObject({ type: "tag", "max-ref-age-ms": 1000 });
  await table.refs.remove("audit");
  expect(Object.keys(table.refs.all()).toSorted()).toEqual(["main", "v1"]);
});
