export { addingDays as default } from "./pipelines.ts";
