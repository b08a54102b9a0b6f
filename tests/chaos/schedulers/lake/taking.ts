export { taking as default } from "./pipelines.ts";
