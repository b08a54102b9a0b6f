/** How a rebuild stands. */
import type { RebuildRow } from "../../../state/pages/rebuilds.ts";

export function markOf({ status }: Pick<RebuildRow, "status">) {
  switch (status) {
    case "running":
      return { name: "running", label: "Running" } as const;
    case "stopped":
      return { name: "failed", label: "Stopped: a run failed" } as const;
    case "succeeded":
      return { name: "ok", label: "Succeeded" } as const;
    case "cancelled":
      return { name: "cancelled", label: "Cancelled" } as const;
    default:
      return status satisfies never;
  }
}
