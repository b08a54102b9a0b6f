import { expect, it } from "vitest";
import { backOff } from "./backoff.ts";

it("a wait ends with the signal's reason", async () => {
  const controller = new AbortController();
  const waiting = backOff(20, 3_600_000, controller);
  controller.abort(new Error("enough"));
  await expect(waiting).rejects.toThrow("enough");
  await expect(backOff(1, 1, controller)).rejects.toThrow("enough");
});
