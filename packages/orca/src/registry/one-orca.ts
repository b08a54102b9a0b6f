/** One copy of Orca in a file, whoever imports it. */
import { dirname } from "node:path";
import type { OnResolveResult, Plugin, PluginBuild, ImportKind } from "esbuild";
import { askWhere, isAsked } from "./ask-esbuild.ts";
import { readPackage, type Installed } from "./package-versions.ts";

/**
 * An esbuild plugin that finds `orcajs` from a pipeline's folder, and `@orcajs/…` from that orcajs, for every module: the values that two
 * copies make are strangers to each other.
 *
 * @param home the pipeline's folder.
 */
export function oneOrca(home: string): { readonly plugin: Plugin; installed(): Installed | undefined } {
  let program = "";

  async function resolve(
    build: PluginBuild,
    path: string,
    from: string,
    kind: ImportKind,
  ): Promise<OnResolveResult | undefined> {
    const found = await askWhere(build, path, { kind, resolveDir: from });
    return found.errors.length > 0 ? undefined : found;
  }

  const plugin: Plugin = {
    name: "orca-once",
    setup(build) {
      build.onResolve({ filter: /^@?orcajs(\/|$)/ }, async (args) => {
        if (isAsked(args)) return undefined;
        const { path, kind, resolveDir } = args;
        program ||= (await resolve(build, "orcajs/program", home, "import-statement"))?.path ?? "";
        if (path.startsWith("@"))
          return await resolve(build, path, program === "" ? resolveDir : dirname(program), kind);
        return await resolve(build, path, home, kind);
      });
    },
  };
  return { plugin, installed: () => orcaAbove(dirname(program)) };
}

function orcaAbove(folder: string): Installed | undefined {
  const found = readPackage(folder);
  if (found?.name === "orcajs") return found;
  return dirname(folder) === folder ? undefined : orcaAbove(dirname(folder));
}
