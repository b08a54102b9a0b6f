/** Comments that let a bundler drop a call: they are no part of what the code does, so the hash has nothing of them, nor has the file. */
import { readFile } from "node:fs/promises";
import { extname } from "node:path";
import type { Loader, Plugin } from "esbuild";
import { readPackages } from "./package-versions.ts";

const LOADERS: Readonly<Record<string, Loader>> = {
  ".ts": "ts",
  ".mts": "ts",
  ".cts": "ts",
  ".tsx": "tsx",
  ".js": "js",
  ".mjs": "js",
  ".cjs": "js",
  ".jsx": "jsx",
};

/** A comment up to the mark of such an annotation. */
const ANNOTATION = /(\/\*(?:(?!\*\/)[^])*?|\/\/[^\n]*?)[@#](?=__(?:PURE|NO_SIDE_EFFECTS)__)/g;

/** An esbuild plugin that takes `/* @__PURE__ *\/` out of the user's own code. Packages keep theirs: their versions are in the hash. */
export function callsAreKept(): Plugin {
  const packages = readPackages();
  return {
    name: "orca-calls-are-kept",
    setup(build) {
      build.onLoad({ filter: /\.[cm]?[jt]sx?$/, namespace: "file" }, async ({ path, with: attributes }) => {
        if (attributes["type"] !== undefined || packages.ofFile(path) !== undefined) return undefined;
        const text = await readFile(path, "utf8").catch(() => ""); // esbuild says why it can't be read
        const kept = withoutAnnotations(text);
        return kept === text ? undefined : { contents: kept, loader: LOADERS[extname(path)] ?? "ts" };
      });
    },
  };
}

/** Of the same length, so that positions stay. */
function withoutAnnotations(text: string): string {
  if (!/__(PURE|NO_SIDE_EFFECTS)__/.test(text)) return text;
  const without = text.replace(ANNOTATION, "$1 ");
  return without === text ? text : withoutAnnotations(without);
}
