import type { TestProject } from "vitest/node";

/** Starts the tests' Postgres, which ends with them. */
export default async function setup(project: TestProject): Promise<void> {
  project.provide("postgresUrl", process.env["DEV_PG"]!);
}
