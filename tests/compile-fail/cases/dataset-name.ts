// A dataset's name is a namespace and a table, whose characters are fit for a folder.
import { dataset, keyed } from "orcajs";

dataset("lake.raw", { id: "long" }); // fine
dataset("lake.deep.raw", { id: "long" }); // fine
dataset(`${process.env["SPACE"] ?? "lake"}.raw`, { id: "long" }); // fine
dataset("lake-2.Raw_trips", { id: "long" }); // fine
dataset("raw", { id: "long" }); // error: 'raw' isn't a dataset's name: write namespace.table
dataset("my raw", { id: "long" }); // error: 'my raw' isn't a dataset's name: write namespace.table
dataset("lake.", { id: "long" }); // error: 'lake.' isn't a dataset's name: write namespace.table
dataset(".raw", { id: "long" }); // error: '.raw' isn't a dataset's name: write namespace.table
dataset("lake..raw", { id: "long" }); // error: 'lake..raw' isn't a dataset's name: write namespace.table
dataset("lake.raw trips", { id: "long" }); // error: 'lake.raw trips' isn't a dataset's name: its parts are 1 to 128 letters, digits, _ and -
dataset("my/lake.raw", { id: "long" }); // error: 'my/lake.raw' isn't a dataset's name: its parts are 1 to 128 letters, digits, _ and -
keyed("lake.raw?", "id"); // error: 'lake.raw?' isn't a dataset's name: its parts are 1 to 128 letters, digits, _ and -
