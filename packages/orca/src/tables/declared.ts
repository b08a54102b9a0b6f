/** What a step may reach: the datasets that it declares, and no other. */
import { datasetsByName, nameOf, type DatasetOrName } from "../core/datasets/dataset.ts";
import { OrcaError } from "../core/errors.ts";
import type { StepDefinition } from "../core/step-definition.ts";

/**
 * The name of a dataset that a step reaches for.
 *
 * @param verb what the step does, in a sentence: `scans`.
 * @throws OrcaError `undeclared` with the compiler's sentence if it isn't in any of the lists, and `invalid-dataset` if it is there with other columns.
 */
export function declaredName(
  step: StepDefinition,
  lists: readonly ("reads" | "writes")[],
  verb: string,
  dataset: DatasetOrName,
): string {
  const name = nameOf(dataset);
  const declared = lists.flatMap((list) => step[list]).filter((d) => nameOf(d) === name);
  if (declared.length === 0) throw new OrcaError("undeclared", `'${name}' isn't in this step's ${lists.join(" or ")}`);
  datasetsByName([
    ...declared.map((d) => ({ where: `step '${step.name}'`, dataset: d })),
    { where: `the dataset that it ${verb}`, dataset },
  ]);
  return name;
}

/** @param known the columns that there are, if that is known. @throws OrcaError `invalid-dataset` for one that isn't among them. */
export function checkColumns(known: readonly string[] | undefined, names: readonly string[]): void {
  const unknown = known && names.find((name) => !known.includes(name));
  if (unknown !== undefined)
    throw new OrcaError("invalid-dataset", `'${unknown}' isn't a column here: there are ${known!.join(", ")}`);
}
