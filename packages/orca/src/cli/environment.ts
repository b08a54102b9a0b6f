/** The environment variables of every program, in one table: what --help and the reference say is made from it. */
import { OrcaError } from "../core/errors.ts";
import { Day } from "../core/keys/day.ts";
import { nearest } from "../core/nearest.ts";
import { decimalNumber } from "../core/number-text.ts";
import { databaseUrlFrom, type DatabaseUrl } from "../postgres/database-url.ts";
import type { WarehouseAccess } from "../tables/warehouse-access.ts";
import type { Terminal } from "./command-line.ts";

interface Variable {
  readonly type: "instant" | "seconds" | "flag" | "folder" | "logs" | "text" | "database" | "warehouse" | "login";
  /** As text, for the reference; none means that it is unset. */
  readonly default: string | undefined;
  readonly meaning: string;
}

// prettier-ignore
export const VARIABLES = {
  ORCA_DATABASE_URL: { type: "database", default: undefined, meaning: "where runs are recorded: postgresql://…, or embedded:<folder> for a server of its own (default: nowhere)" },
  ORCA_DATABASE_PATIENCE_SECONDS: { type: "seconds", default: "60", meaning: "how long a run goes on trying to reach a database that is gone" },
  ORCA_STALE_SECONDS: { type: "seconds", default: "30", meaning: "how long a run without a heartbeat counts as its process's" },
  ORCA_GRACE_SECONDS: { type: "seconds", default: "10", meaning: "how long a step may go on after it was cancelled or its timeout was over" },
  ORCA_WAREHOUSE: { type: "warehouse", default: undefined, meaning: "where the tables of datasets are: a folder, s3://bucket/prefix or rest+https://… (default: in memory, for as long as the run takes)" },
  ORCA_WAREHOUSE_TOKEN: { type: "text", default: undefined, meaning: "the bearer token for a warehouse of rest+https://…" },
  ORCA_WAREHOUSE_CREDENTIAL: { type: "text", default: undefined, meaning: "the id:secret of an OAuth2 client, with which tokens for a warehouse of rest+https://… are fetched" },
  ORCA_LOGS: { type: "logs", default: undefined, meaning: "where recorded runs write the logs of their attempts to: a folder, or s3://bucket/prefix (default: nowhere)" },
  ORCA_LOG_STAGE: { type: "folder", default: undefined, meaning: "the folder that logs for s3:// are written to until they are uploaded (default: orca-<user>/logs among the temporary files)" },
  ORCA_LOG_FLUSH_SECONDS: { type: "seconds", default: "10", meaning: "how often logs that are still written are uploaded to s3://; 0 for only when their attempts end" },
  ORCA_PROGRAMS: { type: "folder", default: undefined, meaning: "the folder that programs of registered pipelines are kept in (default: .local/share/orca/programs in the home folder)" },
  ORCA_RETRY_SECONDS: { type: "seconds", default: "60", meaning: "how long a failed run waits before it is started again; doubled with each time" },
  ORCA_SENSE_SECONDS: { type: "seconds", default: "60", meaning: "how often sensors look for what others than Orca have committed" },
  ORCA_UI_ADDR: { type: "text", default: "127.0.0.1:8270", meaning: "where orca ui listens" },
  ORCA_UI_LOGIN: { type: "login", default: undefined, meaning: "required: acting in orca ui needs a login even while there is no user" },
  ORCA_UI_SECURE_COOKIES: { type: "flag", default: "0", meaning: "1 where orca ui is reached over HTTPS: browsers then show their session over it alone" },
  ORCA_UI_TRUST_PROXY: { type: "flag", default: "0", meaning: "1 behind a proxy: orca ui takes the address of whoever asks from X-Forwarded-For" },
  ORCA_DOCS_URL: { type: "text", default: undefined, meaning: "where the UI's links to the documentation lead (default: there are none)" },
  ORCA_UI_URL: { type: "text", default: undefined, meaning: "the public address of orca ui, for links to it" },
  ORCA_SAMPLE_SECONDS: { type: "seconds", default: "5", meaning: "how often a run's machine is sampled" },
  ORCA_NOW: { type: "instant", default: undefined, meaning: "the instant that schedules take for now, such as 2024-01-31T09:30:00Z" },
  ORCA_SOURCE: { type: "text", default: undefined, meaning: "orca build: the repository's URL, where git doesn't know it" },
  ORCA_COMMIT: { type: "text", default: undefined, meaning: "orca build: the commit that is built, where git doesn't know it" },
  ORCA_DIRTY: { type: "flag", default: undefined, meaning: "orca build: 1 if the files differ from the commit, 0 if they don't" },
} as const satisfies Record<string, Variable>;

type Name = keyof typeof VARIABLES;
type ValueOf<T extends Variable["type"]> = T extends "instant"
  ? Date
  : T extends "seconds"
    ? number
    : T extends "flag"
      ? boolean
      : T extends "database"
        ? DatabaseUrl
        : string;
/** The variables that are set, or have a default, parsed. */
export type Environment = {
  readonly [N in Name]:
    | ValueOf<(typeof VARIABLES)[N]["type"]>
    | ((typeof VARIABLES)[N]["default"] extends string ? never : undefined);
};

/**
 * The variables of whoever called a command, with a warning of each `ORCA_…` variable that isn't known.
 *
 * @param isWarned whether it is another process, or another program in this one, that warns: false by default.
 * @throws OrcaError `invalid-environment` that names the variable whose value isn't of its type.
 */
export function environmentOf({ env, stderr }: Terminal, isWarned = false): Environment {
  for (const name of isWarned ? [] : Object.keys(env)) {
    if (!name.startsWith("ORCA_") || Object.hasOwn(VARIABLES, name)) continue;
    const meant = nearest(name, Object.keys(VARIABLES));
    const question = meant === undefined ? "" : `: did you mean ${meant}?`;
    stderr.write(`warning: ${name} isn't a variable of Orca's${question}\n`);
  }
  const entries = Object.entries<Variable>(VARIABLES).map(([name, variable]) => {
    const text = env[name] || variable.default; // set to nothing is unset
    return [name, text === undefined ? undefined : parsed(name, variable.type, text)];
  });
  return Object.fromEntries(entries) as Environment;
}

/** What the warehouse is shown. */
export function warehouseAccess({
  ORCA_WAREHOUSE_TOKEN: token,
  ORCA_WAREHOUSE_CREDENTIAL: credential,
}: Environment): WarehouseAccess | undefined {
  return token === undefined && credential === undefined ? undefined : { token, credential };
}

/** The table for --help. */
export function variablesHelp(names: readonly Name[]): string {
  const width = Math.max(...names.map((n) => n.length));
  const rows = names.map((name) => {
    const { default: byDefault, meaning } = VARIABLES[name];
    return `  ${name.padEnd(width)}  ${meaning}${byDefault === undefined ? "" : ` (default: ${byDefault})`}`;
  });
  return `\nEnvironment:\n${rows.join("\n")}\n`;
}

const SECONDS_MAX = 86_400;
const URL_FORM = /^[a-z][a-z\d+.-]+:\/\//i;
const BUCKET_FORM = /^s3:\/\/[a-z0-9][a-z0-9.-]{1,61}[a-z0-9](?:[/?]|$)/;
/** A path, or a location of one of these kinds. */
const WAREHOUSE = /^(?![a-z][a-z\d+.-]+:)|^file:|^memory:|^s3[an]?:\/\/[^/]|^rest\+https?:\/\/[^/]/i;
export const WAREHOUSE_FORMS = "a folder, s3://bucket/prefix or rest+https://…";
const DATABASE_FORMS = "postgresql://… or embedded:<folder>";

function parsed(name: string, type: Variable["type"], text: string): Date | number | boolean | string | DatabaseUrl {
  switch (type) {
    case "text":
      return text;
    case "login":
      if (text === "required") return text;
      throw invalid(name, text, "required");
    case "folder":
      if (!URL_FORM.test(text)) return text;
      throw invalid(name, text, "a folder");
    case "logs":
      if (!URL_FORM.test(text) || BUCKET_FORM.test(text)) return text;
      throw invalid(name, withoutPassword(text), "a folder or s3://bucket/prefix");
    case "flag":
      if (text === "0" || text === "1") return text === "1";
      throw invalid(name, text, "0 or 1");
    case "seconds": {
      const seconds = decimalNumber(text);
      if (seconds !== undefined && seconds <= SECONDS_MAX) return seconds;
      throw invalid(name, text, `a number of seconds from 0 to ${SECONDS_MAX}`);
    }
    case "warehouse":
      if (WAREHOUSE.test(text)) return text;
      throw invalid(name, withoutPassword(text), WAREHOUSE_FORMS);
    case "database":
      return databaseUrlFrom(text) ?? fail(invalid(name, withoutPassword(text), DATABASE_FORMS));
    case "instant":
      return instantFrom(text) ?? fail(invalid(name, text, "an instant such as 2024-01-31T09:30:00Z"));
    default:
      return type satisfies never;
  }
}

/** An instant in ISO 8601 with its zone, of the years 0000 to 9999 in UTC too, or undefined if a text is none. */
export function instantFrom(text: string): Date | undefined {
  // Date takes 30 February, and 24:00 for the next day's midnight
  const isInstant = /^.{10}T([01]\d|2[0-3]):\d\d(:\d\d(\.\d{1,9})?)?(Z|[+-]\d\d:\d\d)$/.test(text);
  const date = new Date(isInstant && Day.is(text.slice(0, 10)) ? text : NaN);
  return !Number.isNaN(date.getTime()) && Day.is(date.toISOString().slice(0, 10)) ? date : undefined;
}

function invalid(name: string, text: string, takes: string): OrcaError {
  return new OrcaError("invalid-environment", `${name} is '${text}': it takes ${takes}`);
}

/** Of a URL, which may have one although it is mistyped. */
function withoutPassword(text: string): string {
  return text.replace(/\/\/.*@/, "//…@");
}

function fail(error: Error): never {
  throw error;
}
