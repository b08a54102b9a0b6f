import { expect, it } from "vitest";
import { failureSentence } from "./failure.ts";

it.each([
  [
    ["LOG:  starting", "2026-01-01 00:00:00 UTC [7] FATAL:  could not write lock file: No space left on device"],
    "could not write lock file: No space left on device: make room on the disk",
  ],
  [
    [
      "[7] FATAL:  could not create shared memory segment: No space left on device",
      "[7] DETAIL:  Failed system call was shmget(key=1, size=56, 03600).",
    ],
    "could not create shared memory segment: No space left on device: Failed system call was shmget(key=1, size=56, 03600): free shared memory, or raise the system's limit of it",
  ],
  [
    ["initdb: error: could not look up effective user ID 1234: user does not exist"],
    "could not look up effective user ID 1234: user does not exist: start it as a user that the system knows",
  ],
  [["LOG:  starting", "", "Postgres ended"], "Postgres ended: see /pg/server.log"],
])("%j", (lines, sentence) => {
  expect(failureSentence("/pg", lines)).toBe(`Postgres can't start in /pg: ${sentence}`);
});
