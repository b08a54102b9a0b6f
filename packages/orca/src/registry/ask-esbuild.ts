/** What a plugin of ours asks esbuild, which asks all plugins in turn: that one knows its own question, and leaves it to the others. */
import type { OnResolveArgs, PluginBuild, ResolveOptions, ResolveResult } from "esbuild";

const ASKED = Symbol("asked");

/** Where esbuild and the other plugins find something. */
export async function askWhere(build: PluginBuild, path: string, options: ResolveOptions): Promise<ResolveResult> {
  return await build.resolve(path, { ...options, pluginData: ASKED });
}

/** Whether that is what a plugin is asked. */
export function isAsked({ pluginData }: OnResolveArgs): boolean {
  return pluginData === ASKED;
}
