import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { describe } from "vitest";
import { itConforms } from "../conformance/conformance.fixture.ts";
import { FolderStore } from "./folder-store.ts";

describe("a store in a folder", () => {
  itConforms(async () => {
    const folder = await mkdtemp(path.join(tmpdir(), "objectstore-"));
    const root = path.join(folder, "made by the first put");
    return {
      store: new FolderStore(root),
      async seed(keys) {
        for (const key of keys) {
          await mkdir(path.dirname(path.join(root, key)), { recursive: true });
          await writeFile(path.join(root, key), key);
        }
      },
      [Symbol.asyncDispose]: () => rm(folder, { recursive: true }),
    };
  });
});
