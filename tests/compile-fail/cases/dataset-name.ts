// A dataset's name is a namespace and a table, whose characters are fit for a folder; or it is where its table is.
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
dataset("/data/rain", { id: "long" }); // fine
dataset("s3://bucket/data/rain", { id: "long" }); // fine
dataset(`${process.env["DATA"]}/rain`, { id: "long" }); // fine
keyed("file:///data/rain", "id"); // fine
dataset("my/lake.raw", { id: "long" }); // error: 'my/lake.raw' isn't a dataset's name or location: write namespace.table, /folder/table or s3://bucket/table
dataset("s3://bucket", { id: "long" }); // error: 's3://bucket' isn't a dataset's name or location: write namespace.table, /folder/table or s3://bucket/table
keyed("s3://bucket/rain/", "id"); // error: 's3://bucket/rain/' ends with a slash: leave it out
keyed("lake.raw?", "id"); // error: 'lake.raw?' isn't a dataset's name: its parts are 1 to 128 letters, digits, _ and -
