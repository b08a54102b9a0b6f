// A column has a name, which no other column's differs from by case only.
import { dataset, nullable } from "orcajs";

dataset("lake.t", { id: "long", Id2: "long", "id 3": "long", "place.lat": "double", iD: { id: "long" } }); // error: another name differs from 'iD' by case only, and SQL takes them as one: rename one
dataset("lake.t", { Id: "long", ID2: "long", "id 3": "long", "place.lat": "double", at: { id: "long" } }); // fine
dataset("lake.t", {
  id: "long",
  ID: "long", // error: another name differs from 'ID' by case only, and SQL takes them as one: rename one
});
dataset("lake.t", {
  place: {
    lat: "double",
    Lat: "double", // error: another name differs from 'Lat' by case only, and SQL takes them as one: rename one
  },
  stops: [
    {
      "": "date", // error: a column has no name
    },
  ],
  home: nullable({
    zip: "int",
    ZIP: "int", // error: another name differs from 'ZIP' by case only, and SQL takes them as one: rename one
  }),
});
dataset("lake.t", {
  "": "long", // error: a column has no name
});
const columns: Record<string, "long"> = JSON.parse("{}");
dataset("lake.t", columns); // fine: known only at run time, and checked then
