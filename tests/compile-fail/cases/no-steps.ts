// A pipeline has steps and partitions.
import { monthly, pipeline } from "orcajs";
import { days } from "../shared/steps.ts";

pipeline("p", { steps: [days], partitions: monthly("2024-01") }); // fine
pipeline("p", { steps: [], partitions: monthly("2024-01") }); // tsc: Source has 0 element(s) but target requires 1
pipeline("p", { partitions: monthly("2024-01") }); // tsc: Property 'steps' is missing
pipeline("p", { steps: [days] }); // tsc: Property 'partitions' is missing
pipeline("p", { steps: [days], partitions: "2024-01" }); // tsc: Type 'string' is not assignable to type 'Partitions'
pipeline("p", { steps: [days, "measure"], partitions: monthly("2024-01") }); // tsc: Type 'string' is not assignable to type 'Step'
