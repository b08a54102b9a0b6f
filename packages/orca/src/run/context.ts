/** What a step's function is given, at run time: `Ctx` of core, over what its run has. */
import { format } from "node:util";
import type { Ref, Task } from "@orcajs/dista";
import type { Run } from "../core/ctx.ts";
import type { PartitionKey } from "../core/keys/partition-key.ts";
import type { StepDefinition } from "../core/step-definition.ts";
import type { StepTables, TablesUser } from "../tables/step-tables.ts";
import type { Attempt } from "./attempt.ts";

/** What the steps of a run share. */
export interface RunContext {
  readonly run: Run;
  /** The run's partitions, in order. */
  readonly keys: readonly PartitionKey[];
  /** A step's tables, for one of its attempts. */
  readonly tables: (step: StepDefinition, partition: string | undefined, attempt: TablesUser) => StepTables;
  /** Is told that a step's attempts for a partition are over. */
  readonly release: (step: StepDefinition, partition: string | undefined) => void;
  /** What calls a step's tasks. */
  readonly remote: (step: StepDefinition) => (task: Task, ...args: readonly unknown[]) => Ref<unknown>;
  /** Takes a line of an attempt's log. */
  readonly log: (attempt: Attempt, line: string) => void;
}

/**
 * A step's context. Its members are getters that return functions, so that they may be taken out of it (`const { log } = ctx`), and so
 * that a step pays only for those that it uses.
 */
export class StepContext {
  readonly #step: StepDefinition;
  readonly #attempt: Attempt;
  readonly #context: RunContext;
  #tablesMade: StepTables | undefined;

  constructor(step: StepDefinition, attempt: Attempt, context: RunContext) {
    this.#step = step;
    this.#attempt = attempt;
    this.#context = context;
  }

  get attempt(): number {
    return this.#attempt.id.attempt;
  }
  get signal(): AbortSignal {
    return this.#attempt.signal;
  }
  get run(): Run {
    return this.#context.run;
  }
  /** Undefined in a gather step, which has `partitions`. */
  get partition(): string | undefined {
    return this.#attempt.id.partition;
  }
  /** Undefined in a mapped step, which has `partition`. */
  get partitions(): readonly PartitionKey[] | undefined {
    return this.#step.kind === "gather" ? this.#context.keys : undefined;
  }
  get log(): (...message: readonly unknown[]) => void {
    return (...message) => this.#context.log(this.#attempt, format(...message));
  }
  get scan(): StepTables["scan"] {
    return this.#tables.scan;
  }
  get append(): StepTables["append"] {
    return this.#tables.append;
  }
  get overwrite(): StepTables["overwrite"] {
    return this.#tables.overwrite;
  }
  get commit(): StepTables["commit"] {
    return this.#tables.commit;
  }
  get sql(): StepTables["sql"] {
    return this.#tables.sql;
  }
  get table(): StepTables["table"] {
    return this.#tables.table;
  }
  get ensureTable(): StepTables["ensureTable"] {
    return this.#tables.ensureTable;
  }
  get remote(): (task: Task, ...args: readonly unknown[]) => Ref<unknown> {
    return this.#context.remote(this.#step);
  }

  get #tables(): StepTables {
    return (this.#tablesMade ??= this.#context.tables(this.#step, this.#attempt.id.partition, this.#attempt));
  }
}
