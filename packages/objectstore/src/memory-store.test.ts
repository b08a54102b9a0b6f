import { describe } from "vitest";
import { itConforms } from "./conformance/conformance.fixture.ts";
import { MemoryStore } from "./memory-store.ts";

describe("a store in memory", () => {
  itConforms(async () => {
    const store = new MemoryStore("test");
    return {
      store,
      async seed(keys) {
        for (const key of keys) await store.put(key, key);
      },
      [Symbol.asyncDispose]: () => store[Symbol.asyncDispose](),
    };
  });
});
