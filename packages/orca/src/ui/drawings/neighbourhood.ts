import type { GraphEdge } from "./layout.ts";

/** The nodes that few edges lead to from one, in either direction, itself among them: the nearest first, up to `max`. */
export function around(
  edges: readonly GraphEdge[],
  center: string,
  { hops, max }: { readonly hops: number; readonly max: number },
): ReadonlySet<string> {
  const neighbours = new Map<string, string[]>();
  const add = (one: string, other: string) => {
    const before = neighbours.get(one);
    if (before === undefined) neighbours.set(one, [other]);
    else before.push(other);
  };
  for (const { from, to } of edges) {
    add(from, to);
    add(to, from);
  }
  const found = new Set([center]);
  let last: readonly string[] = [center];
  for (let hop = 0; hop < hops; hop++) {
    const next = last.flatMap((id) => neighbours.get(id) ?? []).filter((id) => !found.has(id));
    for (const id of next) if (found.size < max) found.add(id);
    last = next;
  }
  return found;
}
