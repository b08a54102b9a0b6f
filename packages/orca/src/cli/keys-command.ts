/** `keys`: the keys that a keyed pipeline has now, and the snapshot that has them. */
import { OrcaError } from "../core/errors.ts";
import { textOfSnapshot } from "../core/lineage.ts";
import type { PipelineDefinition } from "../core/pipeline-definition.ts";
import type { Terminal } from "./command-line.ts";
import type { Environment } from "./environment.ts";
import { currentKeys, openWarehouse } from "./warehouse.ts";

/** Writes the snapshot, `av2.logs@123`, and then a key a line. @throws OrcaError `usage` for months and days; as `currentKeys`. */
export async function keysCommand(
  { name, partitions }: PipelineDefinition,
  isJson: boolean,
  environment: Environment,
  { stdout }: Terminal,
): Promise<void> {
  if (partitions.kind !== "keyed")
    throw new OrcaError(
      "usage",
      `'${name}' isn't keyed: its partitions are every ${partitions.kind === "daily" ? "day" : "month"} from ${partitions.start} on`,
    );
  const { dataset, column } = partitions;
  await using warehouse = openWarehouse(environment, [dataset]);
  const { snapshot, keys } = await currentKeys(warehouse, partitions);
  // a snapshot's number has more digits than other programs' numbers hold
  const json = { dataset, column, snapshot: snapshot?.toString() ?? null, keys };
  const text = isJson
    ? JSON.stringify(json, undefined, 2)
    : [textOfSnapshot({ dataset, snapshot }), ...keys].join("\n");
  stdout.write(`${text}\n`);
}
