import type { GraphNode } from "../layout.ts";
import type { ForwardEdge } from "./layers.ts";

/** Nodes that edges connect, however far, with these edges. */
export interface Part<Node extends GraphNode> {
  readonly nodes: readonly Node[];
  readonly edges: readonly ForwardEdge[];
}

/** The parts of a graph, the largest first; nodes and edges in the order given. */
export function partsOf<Node extends GraphNode>(
  nodes: readonly Node[],
  edges: readonly ForwardEdge[],
): readonly Part<Node>[] {
  const neighbours = new Map(nodes.map((node) => [node.id, [] as string[]]));
  for (const { from, to } of edges) {
    neighbours.get(from)!.push(to);
    neighbours.get(to)!.push(from);
  }
  const partOf = new Map<string, number>();
  let count = 0;
  for (const { id } of nodes) {
    if (partOf.has(id)) continue;
    const reached = [id];
    partOf.set(id, count);
    for (const one of reached)
      for (const next of neighbours.get(one)!)
        if (!partOf.has(next)) {
          partOf.set(next, count);
          reached.push(next);
        }
    count++;
  }
  const nodesOf = Map.groupBy(nodes, (node) => partOf.get(node.id)!);
  const edgesOf = Map.groupBy(edges, (edge) => partOf.get(edge.from)!);
  return [...nodesOf]
    .map(([part, of]) => ({ nodes: of, edges: edgesOf.get(part) ?? [] }))
    .sort((a, b) => b.nodes.length - a.nodes.length);
}
