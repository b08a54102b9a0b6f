/** What a pipeline needs of distributed tasks. */
export { task, type Ref, type Task } from "@orcajs/dista";
