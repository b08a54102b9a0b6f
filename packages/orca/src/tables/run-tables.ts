import type { StepDefinition } from "../core/step-definition.ts";
import type { StepTables, TablesUser } from "./step-tables.ts";

/** All tables of a run. */
export interface RunTables {
  /** A step's tables, for one of its attempts. */
  of(step: StepDefinition, partition: string | undefined, attempt: TablesUser): StepTables;
  /** Is told that a step's attempts for a partition are over. */
  release(step: StepDefinition, partition: string | undefined): void;
}
