import { afterAll, beforeAll } from "vitest";
import { bodiesConform } from "./bodies.fixture.ts";
import { conditionsConform } from "./conditions.fixture.ts";
import { listsConform } from "./lists.fixture.ts";
import { objectsConform } from "./objects.fixture.ts";
import { rangesConform } from "./ranges.fixture.ts";
import type { TestStore } from "./test-store.fixture.ts";

/** What every store does, whatever its objects are in. */
export function itConforms(open: () => Promise<TestStore>): void {
  let opened: TestStore;
  beforeAll(async () => {
    opened = await open();
  });
  afterAll(() => opened[Symbol.asyncDispose]());

  const tested = () => opened;
  objectsConform(tested);
  rangesConform(tested);
  conditionsConform(tested);
  bodiesConform(tested);
  listsConform(tested);
}
