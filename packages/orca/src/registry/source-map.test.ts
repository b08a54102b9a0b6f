import { SourceMap, type SourceMapPayload } from "node:module";
import { build } from "esbuild";
import { expect, it } from "vitest";
import { selectSources, type Mappings } from "./source-map.ts";

const FILES: Record<string, string> = {
  "a.ts": `import { b } from "./b.ts"; import { c } from "./c.ts";\nexport const a = (x: number) => b(x) + c(x);\n\nexport default [a(1), "é", a(2)];\n`,
  "b.ts": `export function b(n: number): number {\n  if (n > 1) { throw new Error("b"); }\n  return n;\n}\nconsole.log(b(0));\n`,
  "c.ts": `import { b } from "./b.ts";\nexport const c = (n: number) =>\n  b(n) * 2;\n`,
};

it("a part of a source map has the places of some sources as they were, later by some lines, and no others", async () => {
  const { outputFiles } = await build({
    entryPoints: ["/x/a.ts"],
    bundle: true,
    write: false,
    outdir: "/x",
    absWorkingDir: "/",
    format: "esm",
    sourcemap: "external",
    plugins: [
      {
        name: "files",
        setup({ onResolve, onLoad }) {
          onResolve({ filter: /.*/ }, ({ path }) => ({ path: `/x/${path.replace(/^.*\//, "")}` }));
          onLoad({ filter: /.*/ }, ({ path }) => ({ contents: FILES[path.slice(3)]!, loader: "ts" }));
        },
      },
    ],
  });
  const full = JSON.parse(outputFiles[0]!.text) as Mappings;
  const part = selectSources(full, (source) => (source === "b.ts" ? undefined : `lib/${source}`), 3);
  expect(part.sources).toEqual(["lib/c.ts", "lib/a.ts"]);

  const [all, some] = [full, part].map((map) => new SourceMap(map as SourceMapPayload)) as [SourceMap, SourceMap];
  const seen = new Set<string>();
  for (const [line, text] of outputFiles[1]!.text.split("\n").entries()) {
    for (let column = 0; column < text.length; column++) {
      const before = all.findEntry(line, column) as Record<string, unknown>;
      const after = some.findEntry(line + 3, column) as Record<string, unknown>;
      const source = before["originalSource"] as string | undefined;
      seen.add(String(source));
      const place = ["originalSource", "originalLine", "originalColumn"].map((key) => before[key]);
      const isLeft = source === undefined || source === "b.ts";
      const expected = isLeft ? [undefined, undefined, undefined] : [`lib/${source}`, ...place.slice(1)];
      expect(["originalSource", "originalLine", "originalColumn"].map((key) => after[key])).toEqual(expected);
    }
  }
  expect(seen).toEqual(new Set(["undefined", "a.ts", "b.ts", "c.ts"]));
});
