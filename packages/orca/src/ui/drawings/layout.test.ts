import { expect, test } from "vitest";
import { layout, type Layout, type GraphEdge, type GraphNode } from "./layout.ts";

test("a chain goes from left to right on one line", () => {
  const placed = layout(nodes("a", "b", "c"), edges("a>b", "b>c"), { gapX: 40 });
  expect(at(placed)).toEqual({ a: [0, 0], b: [140, 0], c: [280, 0] });
  expect(placed.edges.map((edge) => edge.path)).toEqual(["M100 10H138", "M240 10H278"]);
  expect(placed).toMatchObject({ width: 380, height: 20 });
});

test("a node stands after the last that it follows, and what follows nothing right before what follows it", () => {
  const placed = layout(nodes("a", "b", "c", "late"), edges("a>b", "b>c", "a>c", "late>c"), { gapX: 0 });
  expect(at(placed)).toMatchObject({ a: [0, expect.anything()], b: [100, expect.anything()] });
  expect(xOf(placed, "late")).toBe(xOf(placed, "b"));
});

test("an edge passes beside the nodes of the layers between", () => {
  const placed = layout(nodes("a", "b", "c"), edges("a>b", "b>c", "a>c"));
  const b = placed.nodes.find((node) => node.id === "b")!;
  const path = placed.edges.find((edge) => edge.from === "a" && edge.to === "c")!.path;
  const level = Number(/([\d.]+)H[\d.]+C?/.exec(path.slice(path.indexOf("C")))![1]);
  expect(level < b.y || level > b.y + b.height).toBe(true);
});

test("edges that could cross don't", () => {
  const placed = layout(nodes("a", "b", "x", "y"), edges("a>y", "b>x"));
  expect(Math.sign(yOf(placed, "a") - yOf(placed, "b"))).toBe(Math.sign(yOf(placed, "y") - yOf(placed, "x")));
});

test("no two nodes cover each other, whatever the graph", () => {
  for (let seed = 1; seed <= 60; seed++) {
    const random = randomFrom(seed);
    const ids = Array.from({ length: 2 + Math.floor(random() * 40) }, (_, i) => `n${i}`);
    const some = ids.flatMap((from) =>
      ids.filter(() => random() < 1.5 / ids.length).map((to): GraphEdge => ({ from, to })),
    );
    const placed = layout(nodes(...ids), some, { widthMax: 600 });
    expect(placed.nodes).toHaveLength(ids.length);
    expect(covering(placed), `seed ${seed}`).toEqual([]);
    for (const node of placed.nodes) {
      expect(node.x).toBeGreaterThanOrEqual(0);
      expect(node.y).toBeGreaterThanOrEqual(0);
    }
    expect(layout(nodes(...ids), some, { widthMax: 600 })).toEqual(placed);
  }
});

test("small parts stand beside the largest where the width allows it, below it where not", () => {
  const [all, between] = [nodes("a", "b", "c", "x", "y"), edges("a>c", "b>c", "x>y")];
  const [narrow, wide] = [layout(all, between), layout(all, between, { widthMax: 1_000 })];
  expect(xOf(narrow, "x")).toBe(0);
  expect(yOf(narrow, "x")).toBeGreaterThan(yOf(narrow, "b"));
  expect(xOf(wide, "x")).toBeGreaterThan(xOf(wide, "c"));
  expect(yOf(wide, "x")).toBe(0);
});

test("an edge that closes a circle is drawn from left to right with its tip at the start", () => {
  const placed = layout(nodes("a", "b", "c"), edges("a>b", "b>c", "c>a"));
  expect(placed.edges.map(({ from, to, tips }) => `${from}>${to} ${tips}`)).toEqual([
    "a>b end",
    "b>c end",
    "a>c start",
  ]);
});

test("two that point at each other have one edge with two tips", () => {
  const placed = layout(nodes("data", "job"), edges("data>job", "job>data"));
  expect(placed.edges).toMatchObject([{ from: "data", to: "job", tips: "both" }]);
});

test("edges to oneself, of unknown nodes and given twice are left out", () => {
  const placed = layout(nodes("a", "b"), edges("a>a", "a>b", "a>b", "a>gone", "gone>b"));
  expect(placed.edges).toHaveLength(1);
});

test("nothing is drawn of nothing", () => {
  expect(layout([], [])).toEqual({ nodes: [], edges: [], width: 0, height: 0 });
});

function nodes(...ids: readonly string[]): readonly GraphNode[] {
  return ids.map((id) => ({ id, width: 100, height: 20 }));
}

/** `a>b` for each. */
function edges(...pairs: readonly string[]): readonly GraphEdge[] {
  return pairs.map((pair) => ({ from: pair.split(">")[0]!, to: pair.split(">")[1]! }));
}

/** The pairs that share a place. */
function covering({ nodes }: Layout<GraphNode>): readonly string[] {
  return nodes.flatMap((a, place) =>
    nodes
      .slice(place + 1)
      .filter((b) => a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height)
      .map((b) => `${a.id} ${b.id}`),
  );
}

function at(placed: Layout<GraphNode>): Readonly<Record<string, readonly [number, number]>> {
  return Object.fromEntries(placed.nodes.map((node) => [node.id, [node.x, node.y]]));
}

function xOf(placed: Layout<GraphNode>, id: string): number {
  return at(placed)[id]![0];
}

function yOf(placed: Layout<GraphNode>, id: string): number {
  return at(placed)[id]![1];
}

function randomFrom(seed: number): () => number {
  let state = seed;
  return () => (state = (state * 48_271) % 2_147_483_647) / 2_147_483_647;
}
