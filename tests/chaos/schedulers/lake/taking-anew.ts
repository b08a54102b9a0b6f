export { takingAnew as default } from "./pipelines.ts";
