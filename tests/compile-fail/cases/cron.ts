// A cron expression that is known as it is written is checked as it is written.
import { cron } from "orcajs";

cron("0 3 2 *"); // error: '0 3 2 *' has 4 fields: cron takes 5 (minute hour day month weekday)
cron("0 24 2 * *"); // error: '24' isn't a cron hour (0-23)
cron("61 3 2 * *"); // error: '61' isn't a cron minute (0-59)
cron("0 3 0 * *"); // error: '0' isn't a cron day of the month (1-31)
// error: '*/0' isn't a cron minute (0-59)
// and: '13' isn't a cron month (1-12 or jan-dec)
// and: '8' isn't a cron day of the week (0-7 or sun-sat)
cron("*/0 3 2 13 8");
cron("0 3 2 * funday"); // error: 'funday' isn't a cron day of the week (0-7 or sun-sat)
cron("0 17-9 * * *"); // error: '17-9' runs backwards: write the lower end first, or two ranges
cron("@dialy"); // error: '@dialy' isn't a cron shorthand, such as @daily
cron("0 0 30 2 *"); // error: there's no day 30 in month 2: it would never be due

cron("0,15,30 9-17/2 1-15,20 jan-mar,DEC Mon-Fri", "Europe/London"); // fine
cron("05 03 2 * 7"); // fine
cron("@daily"); // fine
cron(process.env["CRON"] ?? "0 3 2 * *"); // fine: known only at run time, and checked then
