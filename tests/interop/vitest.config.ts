import path from "node:path";
import { defineConfig } from "vitest/config";

/** `npm run test:interop`: tables that other implementations write and read, which need Python and so aren't part of `npm test`. */
export default defineConfig({
  test: {
    root: path.resolve(import.meta.dirname, "../.."),
    include: ["tests/interop/**/*.interop.ts"],
    globalSetup: "tests/interop/setup.ts",
    maxWorkers: 2,
    testTimeout: 120_000,
    hookTimeout: 120_000,
  },
});
