import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { ACCESS_KEY, SECRET_KEY, startS3 } from "../../../objectstore/src/s3/s3-server.fixture.ts";
import { TableFiles } from "./table-files.ts";

let folder: string;
let files: TableFiles;
beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), "iceberg-files-"));
  files = new TableFiles();
});
afterEach(async () => {
  await files[Symbol.asyncDispose]();
  await rm(folder, { recursive: true, force: true }); // a folder that becomes empty is deleted
});

const text = async (uri: string, of = files) => new TextDecoder().decode(await of.read(uri));
async function listed(of: TableFiles, location: string): Promise<string[]> {
  const uris: string[] = [];
  for await (const { uri } of of.list(location)) uris.push(uri);
  return uris;
}

describe("a file of this machine", () => {
  // as writers write them: paths, and what follows file: as it is
  const NAME = "data/s=a%2Fb c/ä+é?#&=%.parquet";

  it.each([
    ["a path", ""],
    ["file:/path", "file:"],
    ["file:///path", "file://"],
    ["file://localhost/path", "file://localhost"],
    ["FILE:///path", "FILE://"],
  ])("is the same by %s, with all characters as they are", async (_, prefix) => {
    const uri = `${prefix}${folder}/${NAME}`;
    await files.write(uri, "x");
    expect(await readFile(path.join(folder, NAME), "utf8")).toBe("x");
    expect(files.localPath(uri)).toBe(path.join(folder, NAME));
    expect(await text(`${folder}/${NAME}`)).toBe("x");
    expect(await listed(files, `${prefix}${folder}`)).toEqual([uri]);
    expect(await listed(files, `${prefix}${folder}/data/`)).toEqual([uri]);
    await files.delete([uri]);
    expect(await files.sizeBytes(uri)).toBeUndefined();
  });

  it("whose name is percent-escaped isn't the one whose name is what that stands for", async () => {
    await files.write(`file://${folder}/a%20b`, "escaped");
    await files.write(`file://${folder}/a b`, "plain");
    expect(await text(`${folder}/a%20b`)).toBe("escaped");
    expect(await text(`${folder}/a b`)).toBe("plain");
  });
});

describe("a file in S3", () => {
  it.each(["s3", "s3a", "s3n"])("is the same by %s:, with all characters as they are", async (scheme) => {
    await using server = await startS3("lake");
    await using inS3 = new TableFiles({
      s3: {
        endpoint: server.endpoint,
        region: "eu-west-1",
        credentials: { accessKeyId: ACCESS_KEY, secretAccessKey: SECRET_KEY },
      },
    });
    const name = "wh/t/data/s=a%2Fb c/ä+?#.parquet";
    const uri = `${scheme}://lake/${name}`;
    await inS3.write(uri, "x");
    expect(await text(`s3://lake/${name}`, inS3)).toBe("x");
    expect(await listed(inS3, `${scheme}://lake/wh/t`)).toEqual([uri]);
    expect(await listed(inS3, `${scheme}://lake`)).toEqual([uri]);
    expect(inS3.localPath(uri)).toBeUndefined();
  });
});

it("a file in memory is the same for all of the process", async () => {
  await files.write("memory:files-test/a/b", "x");
  await using others = new TableFiles();
  expect(await text("memory:files-test/a/b", others)).toBe("x");
  expect(await listed(others, "memory:files-test/a")).toEqual(["memory:files-test/a/b"]);
  await files.delete(["memory:files-test/a/b"]);
});

it("files are written once, read in ranges and as streams, and deleted together", async () => {
  const [a, b] = [`${folder}/a`, "memory:files-test/b"];
  await files.write(a, "0123456789");
  await files.write(b, "x");
  await expect(files.write(a, "y")).rejects.toMatchObject({ code: "conflict" });
  expect(await text(a)).toBe("0123456789");
  expect(new TextDecoder().decode(await files.read(a, { range: { start: 2, end: 4 } }))).toBe("23");
  expect(await new Response(await files.stream(a, { range: { suffix: 3 } })).text()).toBe("789");
  expect(await files.sizeBytes(a)).toBe(10);
  await files.delete([a, b, `${folder}/none`]);
  expect([await files.sizeBytes(a), await files.sizeBytes(b)]).toEqual([undefined, undefined]);
});

it("a list has a folder's files alone, not those of folders whose names begin alike", async () => {
  await files.write(`${folder}/t/a`, "x");
  await files.write(`${folder}/t2/a`, "xy");
  const found = [];
  for await (const file of files.list(`${folder}/t`)) found.push(file);
  expect(found).toEqual([{ uri: `${folder}/t/a`, sizeBytes: 1, modifiedAt: expect.any(Date) }]);
});

it.each(["gs://b/k", "hdfs://h/k", "relative/path", "", "s3:/b/k", "memory:/x", "http://h/k"])(
  "there are no files at %j",
  (uri) => {
    expect(() => files.objectAt(uri)).toThrow(expect.objectContaining({ code: "unsupported" }));
  },
);
