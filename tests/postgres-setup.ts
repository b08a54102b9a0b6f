import path from "node:path";
import type { TestProject } from "vitest/node";
import { openEmbedded } from "../packages/orca/dist/postgres/embedded.js";

/** Starts the tests' Postgres, which ends with them. Its folder is kept: the next tests start it at once. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const server = await openEmbedded(path.resolve(import.meta.dirname, "../build/test-postgres"));
  project.provide("postgresUrl", server.url);
  return async () => await server[Symbol.asyncDispose]();
}
