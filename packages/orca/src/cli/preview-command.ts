/** `orca preview`: the first rows of a dataset, for the UI's server, which reads no table itself. */
import { checkDatasetName } from "../core/datasets/dataset.ts";
import type { Terminal } from "./command-line.ts";
import type { Environment } from "./environment.ts";

const ROWS = 10;
/** Whoever looks at a page takes no more of the server's machine, however large the rows are. */
const ENGINE = { memoryLimit: "256MB", threads: 1 };

/** Writes them as JSON. @throws OrcaError `table-missing`; `usage` if there is no warehouse. */
export async function previewCommand(dataset: string, environment: Environment, { stdout }: Terminal): Promise<void> {
  checkDatasetName(dataset);
  const { openWarehouse, previewOf } = await import("./warehouse.ts");
  await using warehouse = openWarehouse(environment, [dataset], ENGINE);
  stdout.write(`${JSON.stringify(await previewOf(warehouse, dataset, ROWS))}\n`);
}
