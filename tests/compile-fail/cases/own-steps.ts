// A pipeline's steps follow its own steps only.
import { monthly, pipeline } from "orcajs";
import { days, measure, total } from "../shared/steps.ts";

pipeline("p", { steps: [days, measure], partitions: monthly("2024-01") }); // fine
// error: step 'total' follows 'measure', which isn't one of this pipeline's steps
pipeline("p", { steps: [days, total], partitions: monthly("2024-01") });
