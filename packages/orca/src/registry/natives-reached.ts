/** Which packages with native code a build's code reaches: those that it carries. */
import { readFileSync } from "node:fs";
import { relative, resolve, sep } from "node:path";
import type { Metafile } from "esbuild";
import type { NativeImport } from "./native-packages.ts";
import { OBJECT_STORAGE } from "./require-native.ts";

interface Places {
  /** The pipeline's file. */
  readonly file: string;
  /** What the metafile's paths are relative to. */
  readonly home: string;
  /** The folder of the orcajs that is in the build. */
  readonly orca: string | undefined;
  /** Whether the build carries what takes logs to a bucket. */
  readonly s3Logs: boolean;
}

/**
 * What every program imports as Orca's own is for `ctx.sql`, for what a step `reads` and `writes`, and for the keys of a `keyed` pipeline; the tables of a
 * warehouse are for those two alone, and have object storage with them, which is for logs too.
 */
const wordsOf = (name: string) =>
  [TABLES, OBJECT_STORAGE].includes(name) ? /\b(?:reads|writes|keyed)\b/ : /\b(?:sql|reads|writes|keyed)\b/;
const TABLES = "@orcajs/iceberg";

/**
 * What Orca imports counts where one of its words is in a file that the pipeline's file imports, directly or not. A program that uses it by no such
 * word finds it where it is installed.
 */
export function nativesReached(
  metafile: Metafile,
  imports: ReadonlyMap<string, NativeImport>,
  { file, home, orca, s3Logs }: Places,
): readonly NativeImport[] {
  const isOrcas = (path: string) => orca !== undefined && path.startsWith(`${orca}${sep}`);
  const written = Object.values(metafile.outputs).map(({ inputs }) => inputs);
  const isWritten = (name: string) => written.some((inputs) => (inputs[name]?.bytesInOutput ?? 0) > 0);
  const reached = [...imports].filter(([name]) => isWritten(name)).map(([, one]) => one);
  const isOfUser = ({ folder }: NativeImport) => !isOrcas(`${folder}${sep}`);
  if (reached.every(isOfUser)) return reached;
  const texts = textsOfUser();
  return reached.filter(
    (one) =>
      isOfUser(one) || (s3Logs && one.name === OBJECT_STORAGE) || texts.some((text) => wordsOf(one.name).test(text)),
  );

  function textsOfUser(): readonly string[] {
    const seen = new Set([relative(home, file)]);
    const texts: string[] = [];
    for (const name of seen) {
      const path = resolve(home, name);
      const input = metafile.inputs[name];
      if (input === undefined || isOrcas(path)) continue;
      if (!name.includes(":")) texts.push(readFileSync(path, "utf8"));
      for (const one of input.imports) seen.add(one.path);
    }
    return texts;
  }
}
