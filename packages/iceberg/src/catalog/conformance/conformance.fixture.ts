import { afterAll, beforeAll } from "vitest";
import { commitsConform } from "./commits.fixture.ts";
import { damageConforms } from "./damage.fixture.ts";
import { namespacesConform } from "./namespaces.fixture.ts";
import { tablesConform } from "./tables.fixture.ts";
import type { TestCatalog } from "./test-catalog.fixture.ts";

/** What holds of every catalog. Each part has namespaces of its own. */
export function itConforms(open: () => Promise<TestCatalog>): void {
  let tested: TestCatalog;
  beforeAll(async () => {
    tested = await open();
  });
  afterAll(() => tested?.[Symbol.asyncDispose]());
  namespacesConform(() => tested);
  tablesConform(() => tested);
  commitsConform(() => tested);
  damageConforms(() => tested);
}
