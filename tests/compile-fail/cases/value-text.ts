// Instants, dates and times, and times of day are checked as they are written, and compare with their own kind only.
import { DateTime, Day, Instant, type Month, Time } from "orcajs";

Instant("2024-01-31T09:30Z"); // fine
Instant("2024-01-31T09:30:00.000001Z"); // fine
DateTime("2024-01-31T09:30:00.5"); // fine
Time("09:30"); // fine
Instant("2024-01-31 09:30:00"); // error: '2024-01-31 09:30:00' isn't an instant: write YYYY-MM-DDThh:mm:ssZ
Instant("2024-02-30T09:30:00Z"); // error: '2024-02-30T09:30:00Z' isn't an instant: write YYYY-MM-DDThh:mm:ssZ
Instant("2024-01-31T24:00:00Z"); // error: '2024-01-31T24:00:00Z' isn't an instant: write YYYY-MM-DDThh:mm:ssZ
Instant("2024-01-31T09:30:00.0000001Z"); // error: '2024-01-31T09:30:00.0000001Z' isn't an instant: write YYYY-MM-DDThh:mm:ssZ
DateTime("2024-01-31T09:30:00Z"); // error: '2024-01-31T09:30:00Z' isn't a date and time: write YYYY-MM-DDThh:mm:ss
Time("9:30"); // error: '9:30' isn't a time: write hh:mm:ss

export function start(month: Month, clock: string): Instant {
  return Instant(`${Day(`${month}-01`)}T${clock}Z`); // fine: parts are known only at run time, and checked then
}
export const later: boolean = Instant("2024-01-31T09:30Z") > Instant("2024-01-31T09:29Z"); // fine
export const mixed: boolean = Instant("2024-01-31T09:30Z") > DateTime("2024-01-31T09:30"); // tsc: Operator '>' cannot be applied to types 'Instant' and 'DateTime'
export const same: boolean = Instant("2024-01-31T09:30Z") === Day("2024-01-31"); // tsc: the types 'Instant' and 'Day' have no overlap
