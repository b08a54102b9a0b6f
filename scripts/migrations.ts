/** state/migrations.ts, made from its .sql files, so that a built pipeline has them: `npm run migrations`. A test holds that it is up to date. */
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";

const STATE = path.resolve(import.meta.dirname, "../packages/orca/src/state");
const MODULE = path.join(STATE, "migrations.ts");

/** The module as it should be. */
export function migrationsModule(): string {
  const files = readdirSync(path.join(STATE, "migrations")).toSorted();
  const entries = files.map((file, i) => {
    const [, number, name] = /^(\d{4})-([a-z-]+)\.sql$/.exec(file) ?? [];
    if (Number(number) !== i + 1) throw new Error(`${file} isn't migration ${i + 1}`);
    const sql = readFileSync(path.join(STATE, "migrations", file), "utf8");
    if (/[`\\]|\$\{/.test(sql)) throw new Error(`${file} has characters that a template literal can't have`);
    return `  { version: ${i + 1}, name: "${name}", sql: \`${sql}\` },\n`;
  });
  return `/** Made from migrations/*.sql by \`npm run migrations\`: a built pipeline has no files beside it. */

export interface Migration {
  /** From 1, without gaps. */
  readonly version: number;
  readonly name: string;
  readonly sql: string;
}

// prettier-ignore
export const MIGRATIONS: readonly Migration[] = [
${entries.join("")}];
`;
}

if (import.meta.main) writeFileSync(MODULE, migrationsModule());
