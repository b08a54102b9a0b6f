import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["packages/*/src/**/*.test.{ts,tsx}", "tests/**/*.test.ts"],
    globalSetup: "tests/postgres-setup.ts",
    maxWorkers: 2, // by default one core is left idle
    testTimeout: 30_000,
    hookTimeout: 60_000,
  },
});
