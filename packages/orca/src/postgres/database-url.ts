/** Where runs are recorded, as `ORCA_DATABASE_URL` says it. */

export type DatabaseUrl =
  | { readonly kind: "server"; readonly url: string }
  /** A server of Orca's own: see `embedded.ts`. */
  | { readonly kind: "embedded"; readonly folder: string };

/** Reads `postgres://…`, `postgresql://…` or `embedded:<folder>`, whose folder is as it was written; undefined if a text is none. */
export function databaseUrlFrom(text: string): DatabaseUrl | undefined {
  const folder = /^embedded:(.+)$/s.exec(text)?.[1];
  if (folder !== undefined) return { kind: "embedded", folder };
  return /^postgres(ql)?:\/\//.test(text) ? { kind: "server", url: text } : undefined;
}
