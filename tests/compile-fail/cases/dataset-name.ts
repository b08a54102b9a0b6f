// A dataset's name is a namespace and a table.
import { dataset } from "orcajs";

dataset("lake.raw", { id: "long" }); // fine
dataset("lake.deep.raw", { id: "long" }); // fine
dataset(`${process.env["SPACE"] ?? "lake"}.raw`, { id: "long" }); // fine
dataset("raw", { id: "long" }); // error: 'raw' isn't a dataset's name: write namespace.table
dataset("lake.", { id: "long" }); // error: 'lake.' isn't a dataset's name: write namespace.table
dataset(".raw", { id: "long" }); // error: '.raw' isn't a dataset's name: write namespace.table
dataset("lake..raw", { id: "long" }); // error: 'lake..raw' isn't a dataset's name: write namespace.table
