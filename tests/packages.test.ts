import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import path from "node:path";
import { promisify } from "node:util";
import { describe, expect, it } from "vitest";

const root = path.resolve(import.meta.dirname, "..");

describe.each(["packages/dista", "packages/iceberg", "packages/objectstore", "packages/orca"])(
  "what is published of %s",
  (folder) => {
    it("has its code, its licence and its README, and no tests", async () => {
      const { stdout } = await promisify(execFile)("npm", ["pack", "--dry-run", "--json"], {
        cwd: path.join(root, folder),
      });
      const files = (JSON.parse(stdout) as { files: { path: string }[] }[])[0]!.files.map((file) => file.path);
      expect(files).toEqual(expect.arrayContaining(["LICENSE", "README.md", "dist/index.js", "dist/index.d.ts"]));
      expect(files.filter((file) => /\.(test|fixture)\.|tsbuildinfo/.test(file))).toEqual([]);
    });

    it("has the licence of the repository", () => {
      expect(readFileSync(path.join(root, folder, "LICENSE"), "utf8")).toBe(
        readFileSync(path.join(root, "LICENSE"), "utf8"),
      );
    });
  },
);
