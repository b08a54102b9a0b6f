/** Where nodes and edges of a graph are drawn: layers from left to right, parts that nothing connects one below or beside the other. */
import { edgePath } from "./layout/edge-path.ts";
import { acyclic, layersOf } from "./layout/layers.ts";
import { partsOf } from "./layout/parts.ts";
import { placeRows } from "./layout/rows.ts";

/** What is drawn as a box. Lengths are pixels. */
export interface GraphNode {
  readonly id: string;
  readonly width: number;
  readonly height: number;
}

/** From what comes first to what comes of it, by their ids. */
export interface GraphEdge {
  readonly from: string;
  readonly to: string;
}

export interface Layout<Node extends GraphNode> {
  /** From left to right, and from top to bottom. */
  readonly nodes: readonly (Node & { readonly x: number; readonly y: number })[];
  /** As they are drawn, from left to right: one that closes a circle is turned round, and has its tip at the start. Of a pair that point at each other, one. */
  readonly edges: readonly (GraphEdge & { readonly path: string; readonly tips: "end" | "start" | "both" })[];
  readonly width: number;
  readonly height: number;
}

/**
 * Places a graph: each node in the layer after the last that it follows, each layer in the order that crosses the fewest edges, straightened.
 * Takes time with nodes times edges: more than 1,000 nodes are no drawing. Edges of nodes that aren't there, from a node to itself or given twice
 * are left out. Equal graphs give equal drawings.
 *
 * @param gaps between layers and between the nodes of one; `widthMax` lets small parts stand beside the first where they fit that width.
 */
export function layout<Node extends GraphNode>(
  nodes: readonly Node[],
  edges: readonly GraphEdge[],
  gaps: { readonly gapX?: number; readonly gapY?: number; readonly widthMax?: number } = {},
): Layout<Node> {
  const { gapX = 44, gapY = 12, widthMax = 0 } = gaps;
  const forward = acyclic(nodes, edges);
  const layers = layersOf(nodes, forward);
  const widths: number[] = [];
  for (const node of nodes) {
    const layer = layers.get(node.id)!;
    widths[layer] = Math.max(widths[layer] ?? 0, node.width);
  }
  const lefts = widths.map((_, layer) => widths.slice(0, layer).reduce((sum, width) => sum + width + gapX, 0));

  const placed: Layout<Node>["nodes"][number][] = [];
  const drawn: Layout<Node>["edges"][number][] = [];
  const pack = packer(gapX, gapY, widthMax);
  for (const part of partsOf(nodes, forward)) {
    const { boxes, chains } = placeRows(part, layers, widths, gapY);
    const first = Math.min(...boxes.map((box) => box.layer));
    const top = Math.min(...boxes.map((box) => box.y));
    const width = Math.max(...boxes.map((box) => lefts[box.layer]! + widths[box.layer]!)) - lefts[first]!;
    const at = pack(width, Math.max(...boxes.map((box) => box.y + box.height)) - top);
    for (const box of boxes) {
      box.x = at.x + lefts[box.layer]! - lefts[first]!;
      box.y = Math.round(box.y - top + at.y);
      if (box.node !== undefined) placed.push({ ...box.node, x: box.x, y: box.y });
    }
    for (const { edge, chain } of chains) drawn.push({ ...edge, path: edgePath(chain) });
  }
  return {
    nodes: placed.sort((a, b) => a.x - b.x || a.y - b.y),
    edges: drawn,
    width: Math.max(0, ...placed.map((node) => node.x + node.width)),
    height: Math.max(0, ...placed.map((node) => node.y + node.height)),
  };
}

/** Gives parts their places, the first at 0, 0: below each other, in a column of its own once they would be lower than the first is. */
function packer(gapX: number, gapY: number, widthMax: number) {
  let [left, top, columnWidth, lowest] = [0, 0, 0, 0];
  return (width: number, height: number) => {
    const beside = left + columnWidth + gapX * 1.5;
    if (top > 0 && top + height > lowest && beside + width <= widthMax) [left, top, columnWidth] = [beside, 0, 0];
    const at = { x: left, y: top };
    columnWidth = Math.max(columnWidth, width);
    top += height + gapY;
    lowest = Math.max(lowest, top - gapY);
    return at;
  };
}
