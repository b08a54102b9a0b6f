import { datasetHref, hrefWith, pipelineHref } from "../../look/addresses.ts";
import { Drawing, Glyph, Graph } from "../../drawings/graph.tsx";
import { layout } from "../../drawings/layout.ts";
import { cut } from "../../look/text.ts";
import type { GraphedNode, PipelineGraph } from "./pipeline-graph.ts";
import { PIPELINE_STATE_WORDS } from "./pipeline-state.ts";

/** More nodes have only their names, and lead to what is around them. */
const DETAILED_MAX = 60;
/** What a page has room for. */
const WIDTH_MAX = 1_384;
const SIZES = {
  detailed: { pipeline: 148, dataset: 128, height: 26, gapX: 36, gapY: 8 },
  names: { pipeline: 132, dataset: 116, height: 20, gapX: 28, gapY: 6 },
} as const;

/** Pipelines as boxes, datasets as pills. */
export function PipelineGraphDrawing({ graph }: { readonly graph: PipelineGraph }) {
  const isDetailed = graph.nodes.length <= DETAILED_MAX;
  const size = isDetailed ? SIZES.detailed : SIZES.names;
  const linked = new Set(graph.edges.flatMap(({ from, to }) => [from, to]));
  // One that reads and writes nothing is in the list: here it would say no more.
  const nodes = graph.nodes
    .filter((node) => linked.has(node.id) || node.name === graph.around)
    .map((node) => ({ ...node, width: size[node.kind], height: size.height }));
  if (nodes.length === 0) return <p class="dim">No pipeline says which datasets it reads or writes.</p>;
  const placed = layout(nodes, graph.edges, { gapX: size.gapX, gapY: size.gapY, widthMax: WIDTH_MAX });
  return (
    <Drawing label="Graph">
      <Graph
        placed={placed}
        label="Pipelines and the datasets they read and write"
        draw={(node) =>
          isDetailed ? <Node node={node} isHere={node.name === graph.around} /> : <NameOf node={node} />
        }
      />
    </Drawing>
  );
}

type Placed = GraphedNode & { readonly x: number; readonly y: number; readonly width: number; readonly height: number };

function Node({ node, isHere }: { readonly node: Placed; readonly isHere: boolean }) {
  const { x, y, width, height, name } = node;
  const label = labelOf(node);
  const here = isHere ? " here" : "";
  if (node.kind === "pipeline")
    return (
      <a class={`node ${node.state}${here}`} href={pageOf(node)}>
        <title>Pipeline {label}</title>
        <rect x={x} y={y} width={width} height={height} rx="5" />
        <Glyph name={node.state} x={x + 8} y={y + 6} />
        <text x={x + 28} y={y + 17}>
          {cut(name, 18)}
        </text>
      </a>
    );
  return (
    <a class={`node data${here}`} href={pageOf(node)}>
      <title>Dataset {label}</title>
      <rect x={x} y={y} width={width} height={height} rx="13" class={node.isMade ? undefined : "ext"} />
      <g class="dim-i">
        <Glyph name="data" x={x + 10} y={y + 6} />
      </g>
      <text x={x + 30} y={y + 17}>
        {cut(name, name.length <= 16 ? 16 : 14)}
      </text>
    </a>
  );
}

/** It leads to what is around it, where it is drawn with its state. */
function NameOf({ node }: { readonly node: Placed }) {
  const { x, y, width, height, name } = node;
  const isPipeline = node.kind === "pipeline";
  const text = cut(name, isPipeline ? 19 : 17);
  return (
    <a class={isPipeline ? `node ${node.state}` : "node data"} href={hrefWith("/", { around: name }, "#graph")}>
      {text !== name && <title>{name}</title>}
      <rect x={x} y={y} width={width} height={height} rx={isPipeline ? 4 : 10} />
      <text x={x + 8} y={y + 14}>
        {text}
      </text>
    </a>
  );
}

function labelOf(node: GraphedNode): string {
  if (node.kind === "pipeline") return `${node.name}: ${PIPELINE_STATE_WORDS[node.state]}`;
  return node.isMade ? node.name : `${node.name}: not made by Orca`;
}

function pageOf({ kind, name }: GraphedNode): string {
  return kind === "pipeline" ? pipelineHref(name) : datasetHref(name);
}
