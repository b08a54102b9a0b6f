export { adding as default } from "./pipelines.ts";
