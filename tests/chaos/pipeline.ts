// A diamond and a chain whose steps meet trouble as a seed says.
import { gather, keyed, mapped, type Name, pipeline } from "orcajs";
import { told } from "./trouble.ts";

const fetch = mapped("fetch", { retries: 1 }, async (ctx, key: Name) =>
  told(ctx, "fetch", key, () => ({
    key: String(key),
    n: Array.from(key, (c) => c.charCodeAt(0)).reduce((sum, c) => sum * 31 + c, 7),
  })),
);
const left = mapped("left", { after: fetch, retries: 2 }, async (ctx, { key, n }) =>
  told(ctx, "left", key, () => ({ key, half: n / 2 })),
);
const right = mapped("right", { after: fetch, timeout: "500ms", retries: 1 }, async (ctx, { key, n }) =>
  told(ctx, "right", key, () => ({ key, double: n * 2 })),
);
const join = mapped("join", { after: [left, right] }, async (ctx, [{ key, half }, { double }]) =>
  told(ctx, "join", key, () => ({ key, both: half + double })),
);
const total = gather("total", { after: join, retries: 1 }, async (ctx, joined) =>
  told(ctx, "total", "-", () => joined.reduce((sum, { both }) => sum + both, 0)),
);
const share = mapped("share", { after: join }, async (ctx, { key, both }) =>
  told(ctx, "share", key, () => ({ key, share: both / 3 })),
);
const summary = gather("summary", { after: [share, total] }, async (ctx, [shares, sum]) =>
  told(ctx, "summary", "-", () => shares.map(({ key, share }) => `${key}=${share / sum}`)),
);

export default pipeline("chaos", {
  steps: [fetch, left, right, join, total, share, summary],
  partitions: keyed("test.keys", "key"),
});
