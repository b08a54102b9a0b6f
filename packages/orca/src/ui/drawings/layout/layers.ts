/** In which layer each node stands. */
import type { GraphEdge, GraphNode } from "../layout.ts";

/** An edge as it is drawn, from left to right. */
export interface ForwardEdge extends GraphEdge {
  /** Where its arrow points: at the start of one that closes a circle, which is turned round. */
  readonly tips: "end" | "start" | "both";
}

/** The edges between nodes that are there, each once, of two that point at each other one, so that there are no circles. */
export function acyclic(nodes: readonly GraphNode[], edges: readonly GraphEdge[]): readonly ForwardEdge[] {
  const targets = new Map(nodes.map((node) => [node.id, new Set<string>()]));
  for (const { from, to } of edges) if (from !== to && targets.has(to)) targets.get(from)?.add(to);
  const found: ForwardEdge[] = [];
  const state = new Map<string, "open" | "done">();
  const visit = (id: string): void => {
    state.set(id, "open");
    for (const target of targets.get(id)!) {
      const isBack = state.get(target) === "open";
      const isPair = targets.get(target)!.has(id);
      if (!isBack) found.push({ from: id, to: target, tips: isPair ? "both" : "end" });
      else if (!isPair) found.push({ from: target, to: id, tips: "start" });
      if (!state.has(target)) visit(target);
    }
    state.set(id, "done");
  };
  for (const { id } of nodes) if (!state.has(id)) visit(id);
  return found;
}

/** Each node's: one after the last of those that it follows. What follows nothing stands right before what follows it. */
export function layersOf(nodes: readonly GraphNode[], edges: readonly ForwardEdge[]): ReadonlyMap<string, number> {
  const before = Map.groupBy(edges, (edge) => edge.to);
  const after = Map.groupBy(edges, (edge) => edge.from);
  const layers = new Map<string, number>();
  const visit = (id: string): number => {
    const known = layers.get(id);
    if (known !== undefined) return known;
    const layer = Math.max(-1, ...(before.get(id) ?? []).map((edge) => visit(edge.from))) + 1;
    layers.set(id, layer);
    return layer;
  };
  for (const { id } of nodes) visit(id);
  for (const { id } of nodes) {
    const following = after.get(id);
    if (following !== undefined && !before.has(id))
      layers.set(id, Math.min(...following.map((edge) => layers.get(edge.to)!)) - 1);
  }
  return layers;
}
