import { type LogPlace, logPlace } from "../logs/log-place.ts";
import type { Environment } from "./environment.ts";

/** Where logs are written to, if they are. */
export function logPlaceIn({ ORCA_LOGS, ORCA_LOG_STAGE }: Environment): LogPlace | undefined {
  return ORCA_LOGS === undefined ? undefined : logPlace(ORCA_LOGS, ORCA_LOG_STAGE);
}
