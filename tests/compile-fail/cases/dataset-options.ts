// A dataset's options are those that exist; docs are of its columns.
import { dataset, nullable } from "orcajs";

const columns = {
  id: "long",
  place: { lat: "double" },
  stops: [{ at: "timestamp" }],
  home: nullable({ zip: "int" }),
} as const;
dataset("lake.t", columns, { doc: "Trips.", docs: { id: "the key", "place.lat": "WGS 84", "stops.at": "UTC" } }); // fine
dataset("lake.t", columns, { docs: { home: "where from", "home.zip": "five digits" } }); // fine
dataset("lake.t", columns, { docs: { idd: "the key" } }); // tsc: 'idd' does not exist in type
dataset("lake.t", columns, { docs: { "place.lot": "WGS 84" } }); // tsc: '"place.lot"' does not exist in type
dataset("lake.t", columns, { docs: { id: 1 } }); // tsc: Type 'number' is not assignable to type 'string'
dataset("lake.t", columns, { partitionedBy: ["id"] }); // tsc: Did you mean to write 'partitionBy'?
