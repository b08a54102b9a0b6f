/** The style sheet, the icon and the scripts: read once, served under an address that changes with what they are. */
import { createHash } from "node:crypto";
import { globSync, readFileSync } from "node:fs";
import { extname, join, sep } from "node:path";
import { fileURLToPath } from "node:url";
import type { Hono } from "hono";

/** Beside `dist`; and what is compiled for browsers, in it. */
const FOLDERS: readonly (readonly [folder: URL, under: string])[] = [
  [new URL("../../assets/", import.meta.url), ""],
  [new URL("../../dist/ui/client/", import.meta.url), "client/"],
];
const TYPES: Readonly<Record<string, string>> = {
  ".css": "text/css; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".svg": "image/svg+xml",
};
const FOR_EVER = "public, max-age=31536000, immutable";

interface Asset {
  readonly type: string;
  readonly bytes: Uint8Array<ArrayBuffer>;
}

/** Serves them. @returns where: the beginning of their addresses. */
export function serveAssets(app: Hono): string {
  const assets = new Map(FOLDERS.flatMap(([folder, under]) => filesIn(fileURLToPath(folder), under)));
  const hash = createHash("sha256");
  for (const [name, { bytes }] of assets) hash.update(name).update(bytes);
  const base = `/assets/${hash.digest("base64url").slice(0, 12)}`;
  app.get(`${base}/*`, (context) => {
    const asset = assets.get(context.req.path.slice(base.length + 1));
    if (asset === undefined) return context.notFound();
    return context.body(asset.bytes, 200, { "Content-Type": asset.type, "Cache-Control": FOR_EVER });
  });
  return base;
}

function filesIn(folder: string, under: string): [name: string, asset: Asset][] {
  return globSync("**/*.{css,js,svg}", { cwd: folder })
    .sort()
    .map((file) => [
      under + file.replaceAll(sep, "/"),
      { type: TYPES[extname(file)]!, bytes: new Uint8Array(readFileSync(join(folder, file))) },
    ]);
}
