// A first partition is a month or a day.
import { Day, daily, Month, monthly } from "orcajs";

monthly("2024-12"); // fine
daily("2024-02-29"); // fine
monthly(process.env["START"] ?? "2024-01"); // fine: known only at run time, and checked then
monthly("2024-13"); // error: '2024-13' isn't a month: write YYYY-MM, such as 2024-01
monthly("2024-1"); // error: '2024-1' isn't a month: write YYYY-MM, such as 2024-01
monthly("2024-01-01"); // error: '2024-01-01' isn't a month: write YYYY-MM, such as 2024-01
Month("24-01"); // error: '24-01' isn't a month: write YYYY-MM, such as 2024-01
daily("2023-02-29"); // error: '2023-02-29' isn't a day: write YYYY-MM-DD, such as 2024-01-31
daily("2024-01"); // error: '2024-01' isn't a day: write YYYY-MM-DD, such as 2024-01-31
Day("1900-02-29"); // error: '1900-02-29' isn't a day: write YYYY-MM-DD, such as 2024-01-31
