// Rows are sorted by columns and transforms, in a direction, with nulls at an end.
import { dataset } from "orcajs";

const columns = { id: "long", day: "date", value: "double" } as const;
dataset("lake.t", columns, {
  sortBy: [
    "id", // fine
    "day desc", // fine
    "value asc nulls last", // fine
    "bucket(16, id) nulls first", // fine
    "idd desc", // error: 'idd' isn't a column
    "id descending", // error: 'id descending' isn't a column
    "month(id) desc nulls last", // error: month takes a date or a timestamp, and id is a long
    "id desc nulls middle", // error: 'id desc nulls middle' isn't a column
  ],
});
