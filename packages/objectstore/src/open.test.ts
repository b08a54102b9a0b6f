import { tmpdir } from "node:os";
import path from "node:path";
import { expect, it } from "vitest";
import { openObjectStore } from "./open.ts";

it.each([
  ["/data/lake", "/data/lake", "file:///data/lake/a/b"],
  ["/data/lake/", "/data/lake", "file:///data/lake/a/b"],
  ["lake", path.resolve("lake"), `file://${path.resolve("lake")}/a/b`],
  ["file:///data/my%20lake", "/data/my lake", "file:///data/my%20lake/a/b"],
  ["s3://lake", "s3://lake", "s3://lake/a/b"],
  ["s3://lake/", "s3://lake", "s3://lake/a/b"],
  ["s3://my-lake/deep/er/?region=x", "s3://my-lake/deep/er", "s3://my-lake/deep/er/a/b"],
  ["memory:test", "memory:test", "memory:test/a/b"],
])("%s is a location", (location, shown, url) => {
  const store = openObjectStore(location);
  expect(store.location).toBe(shown);
  expect(store.urlOf("a/b")).toBe(url);
});

it.each([
  ["", "a store's location is a path, or a URL"],
  ["gs://lake", "'gs:' isn't a kind of store"],
  ["https://lake.example", "'https:' isn't a kind of store"],
  ["file://host/lake", "isn't a folder's URL"],
  ["file:lake", "isn't a folder's URL"],
  ["s3://", "the location has no bucket's name"],
  ["s3:lake", "the location has no bucket's name"],
  ["s3://La_ke", "the location has no bucket's name"],
  ["s3://lake/a//b", 'the prefix of "s3://lake/a//b" has an empty segment'],
  ["s3://lake/../b", "has the segment '..'"],
  ["s3://lake?color=red", `"color" isn't a parameter of an s3: location`],
  ["s3://lake?path-style=1", `"path-style" isn't a parameter`],
  ["s3://lake?endpoint=localhost:9000", "the endpoint isn't a URL"],
  ["a\0b", "has a NUL in it"],
])("%j is none", (location, message) => {
  expect(() => openObjectStore(location)).toThrow(
    expect.objectContaining({ code: "invalid-location", message: expect.stringContaining(message) }),
  );
});

it.each(["s3://KEY:very-secret@lake/x", "s3://lake?endpoint=https://KEY:very-secret@host"])(
  "credentials in a location are refused, and not repeated: %s",
  (location) => {
    expect(() => openObjectStore(location)).toThrow(
      expect.objectContaining({ code: "invalid-location", message: expect.not.stringContaining("very-secret") }),
    );
  },
);

it("options out of bounds are refused", () => {
  for (const s3 of [{ attempts: 0 }, { attempts: 1.5 }, { timeoutSeconds: Number.NaN }, { retryMilliseconds: -1 }])
    expect(() => openObjectStore("s3://lake", { s3 })).toThrow(expect.objectContaining({ code: "invalid-option" }));
});

it("a name in memory is the same store each time, and no name another", async () => {
  await openObjectStore("memory:shared").put("a", "x");
  expect((await openObjectStore("memory:shared").head("a"))?.size).toBe(1);
  expect(await openObjectStore("memory:").head("a")).toBeUndefined();
});

it("what is opened is there to be read only when it was written", async () => {
  const store = openObjectStore(path.join(tmpdir(), "objectstore-that-is-not-there"));
  expect(await store.head("a")).toBeUndefined();
  for await (const { key } of store.list("")) expect.unreachable(key);
});
