import { expect, it } from "vitest";
import { OrcaError } from "../core/errors.ts";
import { databaseError, isOutage } from "./database-error.ts";

const errorWith = (code: string, message = "said by the server") => Object.assign(new Error(message), { code });

it.each([
  ...["ECONNREFUSED", "ECONNRESET", "ENOENT", "57P01", "57P03", "53100", "53300", "08006", "40P01"].map((code) =>
    errorWith(code),
  ),
  new Error("Connection terminated unexpectedly"),
  new Error("timeout exceeded when trying to connect"),
])("%o may pass", (error) => {
  expect(isOutage(error)).toBe(true);
  expect(databaseError(error)).toMatchObject({ code: "database-unreachable", cause: error });
});

it.each([
  ["28P01", "database-unfit", "the database doesn't take the password in ORCA_DATABASE_URL (said by the server)"],
  ["28000", "database-unfit", "the database doesn't let this user in: check ORCA_DATABASE_URL (said by the server)"],
  [
    "3D000",
    "database-unfit",
    "there is no such database on the server: create it, or check ORCA_DATABASE_URL (said by the server)",
  ],
  [
    "42501",
    "database-unfit",
    "the database user may not do this: it needs to own the schema orca, and to create it at first (said by the server)",
  ],
  [
    "OR001",
    "database-unfit",
    "passwords are hashed by Postgres' extension pgcrypto, which isn't in this database and can't be made in it by this user: have an administrator run CREATE EXTENSION pgcrypto in it, and install the server's contrib package first if it lacks that (said by the server)",
  ],
  [
    "42P07",
    "database-unfit",
    "the schema orca has tables that no migration of Orca's is recorded to have made: drop it, or use another database (said by the server)",
  ],
  ["ENOTFOUND", "database-unreachable", "the database can't be reached: said by the server"],
])("%s is said as %s", (code, ours, sentence) => {
  expect(isOutage(errorWith(code))).toBe(false);
  expect(databaseError(errorWith(code))).toMatchObject({ code: ours, message: sentence });
});

it("leaves what is neither as it is: a fault of ours", () => {
  const fault = errorWith("42601", "syntax error");
  expect(databaseError(fault)).toBe(fault);
  const known = new OrcaError("run-lost", "Connection terminated");
  expect(isOutage(known)).toBe(false);
  expect(databaseError(known)).toBe(known);
});

it("says something where an error of many addresses has no message", () => {
  expect(databaseError(errorWith("ECONNREFUSED", ""))).toMatchObject({
    message: "the database can't be reached: ECONNREFUSED",
  });
});

it("says that a password is missing, for which the driver has words of its own", () => {
  const error = new Error("SASL: SCRAM-SERVER-FIRST-MESSAGE: client password must be a string");
  expect(databaseError(error)).toMatchObject({
    code: "database-unfit",
    message: expect.stringContaining("the database wants a password, and ORCA_DATABASE_URL has none"),
  });
});
