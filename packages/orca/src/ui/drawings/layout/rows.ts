/** How high each node of a part stands: first the order within layers, then the heights. */
import type { GraphNode } from "../layout.ts";
import type { ForwardEdge } from "./layers.ts";
import type { Part } from "./parts.ts";

/** A node in its place, or where an edge passes a layer, of which there is no node. */
export interface Box<Node extends GraphNode> {
  readonly node: Node | undefined;
  readonly width: number;
  readonly height: number;
  readonly layer: number;
  x: number;
  y: number;
  /** Its place in its layer. */
  place: number;
  readonly before: Box<Node>[];
  readonly after: Box<Node>[];
}

interface Rows<Node extends GraphNode> {
  readonly boxes: readonly Box<Node>[];
  /** Each edge with what it goes through, its ends among it. */
  readonly chains: readonly { readonly edge: ForwardEdge; readonly chain: readonly Box<Node>[] }[];
}

const PASS_HEIGHT = 6;
const ORDER_SWEEPS = 8;
const HEIGHT_SWEEPS = 24;

/** Places a part's nodes, from 0 on, or above it. @param widths of the layers. */
export function placeRows<Node extends GraphNode>(
  { nodes, edges }: Part<Node>,
  layerOf: ReadonlyMap<string, number>,
  widths: readonly number[],
  gap: number,
): Rows<Node> {
  const layers: Box<Node>[][] = widths.map(() => []);
  const add = (node: Node | undefined, layer: number, width: number, height: number): Box<Node> => {
    const box = { node, width, height, layer, x: 0, y: 0, place: layers[layer]!.length, before: [], after: [] };
    layers[layer]!.push(box);
    return box;
  };
  const boxOf = new Map(nodes.map((node) => [node.id, add(node, layerOf.get(node.id)!, node.width, node.height)]));
  const chains = edges.map((edge) => {
    const [first, last] = [boxOf.get(edge.from)!, boxOf.get(edge.to)!];
    const chain = [first];
    for (let layer = first.layer + 1; layer < last.layer; layer++)
      chain.push(add(undefined, layer, widths[layer]!, PASS_HEIGHT));
    chain.push(last);
    for (const [place, box] of chain.slice(1).entries()) {
      chain[place]!.after.push(box);
      box.before.push(chain[place]!);
    }
    return { edge, chain };
  });
  order(layers);
  raise(layers, gap);
  return { boxes: layers.flat(), chains };
}

type Side = "before" | "after";

/** Puts each box of a layer where its neighbours are on average, from the left and from the right in turn, which undoes most crossings. */
function order<Node extends GraphNode>(layers: readonly Box<Node>[][]): void {
  for (let sweep = 0; sweep < ORDER_SWEEPS; sweep++)
    for (const side of ["before", "after"] as const)
      for (const layer of side === "before" ? layers : layers.toReversed()) {
        const wanted = new Map(layer.map((box) => [box, mean(box[side].map((other) => other.place)) ?? box.place]));
        layer.sort((a, b) => wanted.get(a)! - wanted.get(b)! || a.place - b.place);
        for (const [place, box] of layer.entries()) box.place = place;
      }
}

/** Levels each box with its neighbours as far as the others of its layer leave room. */
function raise<Node extends GraphNode>(layers: readonly Box<Node>[][], gap: number): void {
  for (const layer of layers) {
    let y = 0;
    for (const box of layer) {
      box.y = y;
      y += box.height + gap;
    }
  }
  for (let sweep = 0; sweep < HEIGHT_SWEEPS; sweep++) {
    const side: Side = sweep % 2 === 1 ? "before" : "after";
    for (const layer of side === "before" ? layers : layers.toReversed()) level(layer, [side], gap);
  }
  for (const layer of layers) level(layer, ["before", "after"], gap);
}

function level<Node extends GraphNode>(layer: readonly Box<Node>[], sides: readonly Side[], gap: number): void {
  for (const box of layer) {
    const centre = mean(sides.flatMap((side) => box[side].map((other) => other.y + other.height / 2)));
    if (centre !== undefined) box.y = centre - box.height / 2;
  }
  // Those that meet give way by half each, twice; what is left goes down.
  for (let pass = 0; pass < 2; pass++)
    for (const [above, box] of pairs(layer)) {
      const over = above.y + above.height + gap - box.y;
      if (over <= 0) continue;
      box.y += over / 2;
      above.y -= over / 2;
    }
  for (const [above, box] of pairs(layer)) box.y = Math.max(box.y, above.y + above.height + gap);
}

function* pairs<Item>(items: readonly Item[]): Generator<readonly [Item, Item]> {
  for (let place = 1; place < items.length; place++) yield [items[place - 1]!, items[place]!];
}

function mean(values: readonly number[]): number | undefined {
  return values.length === 0 ? undefined : values.reduce((sum, value) => sum + value, 0) / values.length;
}
