/** A schedule in words. */
import { parseCron, type CronFields } from "../../../core/schedule/cron-fields.ts";
import { MONTH_NAMES } from "../../look/text.ts";
import type { Schedule } from "../../../core/schedule/schedule.ts";

const DAYS = ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"];
const WORKDAYS = 0b0111110;
const EVERY_WEEKDAY = 0b1111111;
const EVERY_DAY = 2 ** 31 - 1;
const EVERY_MONTH = 2 ** 12 - 1;
const EVERY_HOUR = 2 ** 24 - 1;
const EVERY = "Every day";
/** More times of a day than so many are told by how many there are. */
const TIMES_MAX = 4;

/** `Every day at 06:10, New York time`. */
export function scheduleWords({ cron, timeZone }: Schedule): string {
  const fields = parseCron(cron);
  const [days, times] = [dayWords(fields), timeWords(fields)];
  const words = days === EVERY && times.startsWith("every ") ? times.replace("every", "Every") : `${days} ${times}`;
  return `${words}, ${zoneWords(timeZone)}`;
}

/** `New York time`, `UTC`. */
function zoneWords(timeZone: string): string {
  if (!timeZone.includes("/") || timeZone.startsWith("Etc/")) return timeZone.replace("Etc/", "");
  return `${zoneName(timeZone)} time`;
}

/** `New York`. */
export function zoneName(timeZone: string): string {
  return timeZone.split("/").at(-1)!.replaceAll("_", " ");
}

function dayWords({ days, months, weekdays, eitherDay }: CronFields): string {
  const ofMonth = days === EVERY_DAY ? undefined : `On the ${listed(bits(days).map((day) => ordinal(day + 1)))}`;
  const ofWeek = weekdays === EVERY_WEEKDAY ? undefined : weekWords(weekdays);
  const isEveryMonth = months === EVERY_MONTH;
  const when = isEveryMonth ? "each month" : listed(bits(months).map((month) => MONTH_NAMES[month]!));
  if (ofMonth === undefined) return `${ofWeek ?? EVERY}${isEveryMonth ? "" : ` of ${when}`}`;
  const dates = `${ofMonth} of ${when}`;
  if (ofWeek === undefined) return dates;
  return eitherDay
    ? `${dates}, and ${ofWeek.replace("Every", "every")}`
    : `${dates} if it is ${ofWeek.replace("Every ", "a ")}`;
}

function weekWords(weekdays: number): string {
  if (weekdays === WORKDAYS) return "Monday to Friday";
  return `Every ${listed(bits(weekdays).map((day) => DAYS[day]!))}`;
}

function timeWords({ minutes, hours }: CronFields): string {
  const inHour = [...bits(minutes[0]), ...bits(minutes[1]).map((minute) => minute + 30)];
  const ofDay = bits(hours);
  if (inHour.length === 60) return hours === EVERY_HOUR ? "every minute" : `every minute of ${plain(ofDay)}`;
  const step = even(inHour, 60);
  if (hours === EVERY_HOUR && inHour.length === 1) return `at ${two(inHour[0]!)} past every hour`;
  if (hours === EVERY_HOUR && step !== undefined) return `every ${step} minutes`;
  const times = ofDay.flatMap((hour) => inHour.map((minute) => `${two(hour)}:${two(minute)}`));
  return times.length <= TIMES_MAX
    ? `at ${listed(times)}`
    : `at ${times.length} times from ${times[0]} to ${times.at(-1)}`;
}

/** How far apart values are that begin at 0 and go on evenly to the end. */
function even(values: readonly number[], end: number): number | undefined {
  const step = end / values.length;
  return values.length > 1 && values.every((value, place) => value === place * step) ? step : undefined;
}

function plain(hours: readonly number[]): string {
  return listed(hours.map((hour) => `${two(hour)}:00`));
}

function bits(mask: number): readonly number[] {
  return Array.from({ length: 31 }, (_, bit) => bit).filter((bit) => (mask >>> bit) & 1);
}

function listed(words: readonly string[]): string {
  return words.length < 2 ? words.join("") : `${words.slice(0, -1).join(", ")} and ${words.at(-1)}`;
}

function ordinal(day: number): string {
  const ending = day > 3 && day < 21 ? "th" : ({ 1: "st", 2: "nd", 3: "rd" }[day % 10] ?? "th");
  return `${day}${ending}`;
}

function two(value: number): string {
  return String(value).padStart(2, "0");
}
