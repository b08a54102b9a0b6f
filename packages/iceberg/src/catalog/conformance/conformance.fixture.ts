import { afterAll, beforeAll } from "vitest";
import { commitsConform } from "./commits.fixture.ts";
import { namespacesConform } from "./namespaces.fixture.ts";
import { tablesConform } from "./tables.fixture.ts";
import type { TestCatalog } from "./test-catalog.fixture.ts";

/** What holds of every catalog, and more that holds of some. Each part has namespaces of its own. */
export function itConforms(
  open: () => Promise<TestCatalog>,
  ...more: readonly ((tested: () => TestCatalog) => void)[]
): void {
  let tested: TestCatalog;
  beforeAll(async () => {
    tested = await open();
  });
  afterAll(() => tested?.[Symbol.asyncDispose]());
  namespacesConform(() => tested);
  tablesConform(() => tested);
  commitsConform(() => tested);
  for (const part of more) part(() => tested);
}
