/** What Postgres and its driver throw, in our words. */
import { OrcaError } from "../core/errors.ts";

/** Of the operating system: the server isn't there, or is gone. */
const SYSTEM_CODES: ReadonlySet<string> = new Set([
  "ECONNREFUSED",
  "ECONNRESET",
  "ENOENT", // no socket
  "EPIPE",
  "ETIMEDOUT",
  "EHOSTUNREACH",
  "ENETUNREACH",
  "EAI_AGAIN",
]);
/** Of the server: shut down, crashed, starting, no connection, memory or disk free, and work that was rolled back for another's sake. */
const SERVER_CODES: ReadonlySet<string> = new Set([
  "57P01",
  "57P02",
  "57P03",
  "53100",
  "53200",
  "53300",
  "40001",
  "40P01",
]);
/** Of the driver, which gives these no code. */
const DRIVER_MESSAGES =
  /^(Connection terminated|timeout exceeded when trying to connect|Client has encountered a connection error|Client was closed)/;

/** Whether it may pass when it is tried again. */
export function isOutage(error: unknown): boolean {
  if (error instanceof OrcaError || !(error instanceof Error)) return false;
  const code = codeOf(error);
  if (code === undefined) return DRIVER_MESSAGES.test(error.message);
  return SYSTEM_CODES.has(code) || SERVER_CODES.has(code) || code.startsWith("08");
}

/** Says what a person can do of it. What is none of these is a fault of ours, and is told as it is. */
const MEANINGS: Readonly<Record<string, string>> = {
  "28P01": "the database doesn't take the password in ORCA_DATABASE_URL",
  "28000": "the database doesn't let this user in: check ORCA_DATABASE_URL",
  "3D000": "there is no such database on the server: create it, or check ORCA_DATABASE_URL",
  "42501": "the database user may not do this: it needs to own the schema orca, and to create it at first",
  OR001:
    "passwords are hashed by Postgres' extension pgcrypto, which isn't in this database and can't be made in it by this user: have an administrator run CREATE EXTENSION pgcrypto in it, and install the server's contrib package first if it lacks that",
  "42P07":
    "the schema orca has tables that no migration of Orca's is recorded to have made: drop it, or use another database",
};

export function databaseError(error: unknown): unknown {
  if (error instanceof OrcaError || !(error instanceof Error)) return error;
  const said = error.message || String(codeOf(error)); // of many addresses that were tried there is no message
  if (isOutage(error) || codeOf(error) === "ENOTFOUND")
    return new OrcaError("database-unreachable", `the database can't be reached: ${said}`, { cause: error });
  const meaning = said.startsWith("SASL: ") // what the driver says where a password is wanted and there is none
    ? "the database wants a password, and ORCA_DATABASE_URL has none"
    : MEANINGS[codeOf(error) ?? ""];
  if (meaning === undefined) return error;
  return new OrcaError("database-unfit", `${meaning} (${said})`, { cause: error });
}

function codeOf(error: Error): string | undefined {
  return (error as Error & { code?: string }).code;
}
