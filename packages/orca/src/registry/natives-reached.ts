/** Which packages with native code a build's code reaches: those that it carries. */
import { readFileSync } from "node:fs";
import { relative, resolve, sep } from "node:path";
import type { Metafile } from "esbuild";
import type { NativeImport } from "./native-packages.ts";

interface Places {
  /** The pipeline's file. */
  readonly file: string;
  /** What the metafile's paths are relative to. */
  readonly home: string;
  /** The folder of the orcajs that is in the build. */
  readonly orca: string | undefined;
}

/**
 * Every program has Orca's own import of DuckDB, which only tables and `ctx.sql` use: that counts where one of the words `sql`, `reads` and
 * `writes` is in a file that the pipeline's file imports, directly or not. A program that uses it by no such word finds DuckDB where it is installed.
 */
export function nativesReached(
  metafile: Metafile,
  imports: ReadonlyMap<string, NativeImport>,
  { file, home, orca }: Places,
): readonly NativeImport[] {
  const isOrcas = (path: string) => orca !== undefined && path.startsWith(`${orca}${sep}`);
  const written = Object.values(metafile.outputs).map(({ inputs }) => inputs);
  const isWritten = (name: string) => written.some((inputs) => (inputs[name]?.bytesInOutput ?? 0) > 0);
  const reached = [...imports].filter(([name]) => isWritten(name)).map(([, one]) => one);
  const ofUser = reached.filter(({ folder }) => !isOrcas(`${folder}${sep}`));
  if (ofUser.length === reached.length || usesTables()) return reached;
  return ofUser;

  function usesTables(): boolean {
    const seen = new Set([relative(home, file)]);
    for (const name of seen) {
      const path = resolve(home, name);
      const input = metafile.inputs[name];
      if (input === undefined || isOrcas(path)) continue;
      if (!name.includes(":") && /\b(?:sql|reads|writes)\b/.test(readFileSync(path, "utf8"))) return true;
      for (const one of input.imports) seen.add(one.path);
    }
    return false;
  }
}
