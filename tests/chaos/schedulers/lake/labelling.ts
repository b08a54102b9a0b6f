export { labelling as default } from "./pipelines.ts";
