import { expect, it } from "vitest";
import { scheduleWords } from "./schedule-words.ts";

it.each([
  ["10 6 * * *", "America/New_York", "Every day at 06:10, New York time"],
  ["@daily", "UTC", "Every day at 00:00, UTC"],
  ["0 3 2 * *", "UTC", "On the 2nd of each month at 03:00, UTC"],
  ["0 3 1,15 * *", "Etc/UTC", "On the 1st and 15th of each month at 03:00, UTC"],
  ["30 2 * * mon-fri", "Europe/London", "Monday to Friday at 02:30, London time"],
  ["0 0 * * sun", "UTC", "Every Sunday at 00:00, UTC"],
  ["*/15 * * * *", "UTC", "Every 15 minutes, UTC"],
  ["5 * * * *", "UTC", "Every day at 05 past every hour, UTC"],
  ["* * * * *", "UTC", "Every minute, UTC"],
  ["0 0 1 1 *", "UTC", "On the 1st of January at 00:00, UTC"],
  ["0 8-18 * * *", "UTC", "Every day at 11 times from 08:00 to 18:00, UTC"],
  ["0 0 13 * fri", "UTC", "On the 13th of each month, and every Friday at 00:00, UTC"],
])("%s in %s is %s", (cron, timeZone, words) => {
  expect(scheduleWords({ cron, timeZone })).toBe(words);
});
