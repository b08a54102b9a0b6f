/** The playground's pipelines, and what of them is run at once: they have something to show when somebody looks. */
import { firstDay } from "../../examples/playground/datasets.ts";
import { Day } from "orcajs";

interface PlaygroundPipeline {
  readonly name: string;
  /** Below the repository. */
  readonly file: string;
}

/** What reads comes after what writes. */
export const PIPELINES: readonly PlaygroundPipeline[] = [
  "flights_ingest",
  "flights_report",
  "payments",
  "weather",
  "drives",
  "labels",
  "simulation",
  "fanout",
].map((name) => ({ name, file: `examples/playground/${name.replace("_", "-")}.ts` }));

const yesterday = Day.previous(Day(new Date().toISOString().slice(0, 10)));
const months = `${firstDay.slice(0, 7)}..${yesterday.slice(0, 7)}`;

/** Small and quick ones first. */
export const BACKFILLS: readonly (readonly [pipeline: string, keys: string])[] = [
  ["payments", months],
  ["fanout", months],
  ["simulation", yesterday.slice(0, 7)],
  ["drives", `${Day.add(yesterday, -11)}..${yesterday}`],
  ["weather", `${Day.add(yesterday, -13)}..${yesterday}`],
  ["flights_ingest", `${Day.add(yesterday, -44)}..${yesterday}`],
];
