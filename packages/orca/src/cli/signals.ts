/** What asks a process to stop: Ctrl-C, whoever manages it, and a terminal that is closed. */
export const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;
