import { describe, expect, it } from "vitest";
import type { Terminal } from "./command-line.ts";
import { environmentOf, instantFrom } from "./environment.ts";

const terminalWith = (env: Terminal["env"]) => ({ env }) as Terminal;

describe("an instant that is typed", () => {
  it.each([
    ["2024-01-31T09:30:00Z", "2024-01-31T09:30:00.000Z"],
    ["2024-01-31T09:30Z", "2024-01-31T09:30:00.000Z"],
    ["2024-01-31T23:59:59.999999999Z", "2024-01-31T23:59:59.999Z"],
    ["2024-02-01T00:30:00+05:30", "2024-01-31T19:00:00.000Z"],
    ["0000-01-01T00:00:00Z", "0000-01-01T00:00:00.000Z"],
    ["9999-12-31T23:59:59Z", "9999-12-31T23:59:59.000Z"],
  ])("%s is %s", (text, iso) => {
    expect(instantFrom(text)?.toISOString()).toBe(iso);
  });

  it.each(
    [
      ["", "2024-01-31", "2024-01-31T09:30:00", "2024-01-31 09:30:00Z", "+002024-01-31T09:30:00Z"],
      ["2024-02-30T00:00:00Z", "2024-01-31T24:00:00Z", "2024-01-31T24:00Z", "2024-01-31T23:60:00Z"],
      ["2024-01-31T23:59:60Z", "2024-01-31T09:30:00+24:00", "2024-01-31T09:30:00+05:60"],
      // in UTC they are of other years
      ["0000-01-01T00:00:00+00:01", "9999-12-31T23:59:59-00:01"],
    ].flat(),
  )("'%s' is none", (text) => {
    expect(instantFrom(text)).toBeUndefined();
  });
});

it.each([
  "lake",
  "/data/lake",
  "./a:b",
  "file:///data/lake",
  "s3://lake",
  "s3a://lake/x?region=y",
  "rest+https://h/x",
  "memory:",
])("a warehouse may be '%s'", (ORCA_WAREHOUSE) => {
  expect(environmentOf(terminalWith({ ORCA_WAREHOUSE })).ORCA_WAREHOUSE).toBe(ORCA_WAREHOUSE);
});

it.each(["gs://lake", "s3:lake", "s3://", "https://h", "rest+https://", "rest+ftp://h"])(
  "no warehouse is '%s'",
  (ORCA_WAREHOUSE) => {
    expect(() => environmentOf(terminalWith({ ORCA_WAREHOUSE }))).toThrow(
      `ORCA_WAREHOUSE is '${ORCA_WAREHOUSE}': it takes a folder, s3://bucket/prefix or rest+https://…`,
    );
  },
);
