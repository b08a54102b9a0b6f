/** When a pipeline is due, as `cron` checked it: the five fields, and the IANA time zone of their wall clock. */
export interface Schedule {
  readonly cron: string;
  readonly timeZone: string;
}
