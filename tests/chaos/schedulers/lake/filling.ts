export { filling as default } from "./pipelines.ts";
