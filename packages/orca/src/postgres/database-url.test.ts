import { expect, it } from "vitest";
import { databaseUrlFrom } from "./database-url.ts";

it.each(["postgres://me@host:5433/orca", "postgresql:///orca", "postgres://orca@localhost/postgres?host=%2Fvar%2Frun"])(
  "%s is a server's",
  (url) => expect(databaseUrlFrom(url)).toEqual({ kind: "server", url }),
);

it.each([
  ["embedded:pg", "pg"],
  ["embedded:/var/my data", "/var/my data"],
  ["embedded:a:b", "a:b"],
])("%s is in the folder %s", (text, folder) => expect(databaseUrlFrom(text)).toEqual({ kind: "embedded", folder }));

it.each(["", "embedded:", "pg", "mysql://me@host/orca", "postgres:", "Embedded:pg"])("'%s' is none", (text) =>
  expect(databaseUrlFrom(text)).toBeUndefined(),
);
