/** Pipelines and the datasets between them, as a graph; of one that is too large to see, what is around one of its nodes. */
import { around } from "../../drawings/neighbourhood.ts";
import type { DatasetLinkRow } from "../../../state/pages/dataset-links.ts";
import type { StatedPipeline } from "./pipeline-rows.ts";
import type { PipelineState } from "./pipeline-state.ts";

export type GraphedNode =
  | { readonly id: string; readonly kind: "pipeline"; readonly name: string; readonly state: PipelineState }
  | { readonly id: string; readonly kind: "dataset"; readonly name: string; readonly isMade: boolean };

export interface PipelineGraph {
  readonly nodes: readonly GraphedNode[];
  /** From what is read to what reads it, and from what writes to what it writes. */
  readonly edges: readonly { readonly from: string; readonly to: string }[];
  /** The node around which these are; null if all are here. */
  readonly around: string | null;
  /** How many nodes there are in all. */
  readonly nodeCount: number;
}

/** Up to so many nodes are drawn whole. */
const WHOLE_MAX = 200;
const HOPS = 2;

/** @param wanted the pipeline or dataset around which to look. Otherwise that is the first of what is too much. */
export function pipelineGraph(
  pipelines: readonly StatedPipeline[],
  links: readonly DatasetLinkRow[],
  wanted: string | undefined,
): PipelineGraph {
  const names = new Set(pipelines.map((pipeline) => pipeline.name));
  const known = links.filter((link) => names.has(link.pipeline));
  const made = new Set(known.filter((link) => link.role === "writes").map((link) => link.dataset));
  // pipelines first: where one reads what it writes, the drawing goes by that
  const nodes: readonly GraphedNode[] = [
    ...pipelines.map(({ name, state }) => ({ id: idOf("pipeline", name), kind: "pipeline" as const, name, state })),
    ...[...new Set(known.map((link) => link.dataset))].map((name) => ({
      id: idOf("dataset", name),
      kind: "dataset" as const,
      name,
      isMade: made.has(name),
    })),
  ];
  const edges = known.map(({ pipeline, role, dataset }) => {
    const [ofPipeline, ofDataset] = [idOf("pipeline", pipeline), idOf("dataset", dataset)];
    return role === "writes" ? { from: ofPipeline, to: ofDataset } : { from: ofDataset, to: ofPipeline };
  });
  const chosen =
    nodes.find((node) => node.name === wanted) ??
    (nodes.length > WHOLE_MAX ? nodes.find((node) => node.name === pipelines[0]?.name) : undefined);
  if (chosen === undefined) return { nodes, edges, around: null, nodeCount: nodes.length };
  const near = around(edges, chosen.id, { hops: HOPS, max: WHOLE_MAX });
  return {
    nodes: nodes.filter((node) => near.has(node.id)),
    edges: edges.filter(({ from, to }) => near.has(from) && near.has(to)),
    around: chosen.name,
    nodeCount: nodes.length,
  };
}

/** Apart, as a pipeline may have a dataset's name. */
function idOf(kind: GraphedNode["kind"], name: string): string {
  return `${kind}:${name}`;
}
