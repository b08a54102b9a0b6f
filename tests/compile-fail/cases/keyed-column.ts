// Keys are the values of a dataset's column of strings.
import { dataset, keyed } from "orcajs";

const logs = dataset("av2.logs", { log_id: "string", sha: "uuid", frames: "long", day: "date", note: "string?" });
keyed(logs, "log_id"); // fine
keyed(logs, "sha"); // fine
keyed("av2.logs", "log_id"); // fine
keyed(logs, "frames"); // error: 'frames' isn't a string column: keys are a string column's values
keyed(logs, "day"); // error: 'day' isn't a string column: keys are a string column's values
keyed(logs, "note"); // error: 'note' isn't a string column: keys are a string column's values
keyed(logs, "log"); // tsc: Argument of type '"log"' is not assignable to parameter of type '"log_id" | "sha"'
keyed("av2", "log_id"); // error: 'av2' isn't a dataset's name: write namespace.table
