import { expect, test } from "vitest";
import { markupOf } from "../markup.fixture.ts";
import { Graph } from "./graph.tsx";
import { layout } from "./layout.ts";

test("a graph has a path for each edge, a tip where it points, and the nodes as they are drawn", async () => {
  const placed = layout(
    ["a", "b", "c"].map((id) => ({ id, width: 100, height: 20 })),
    [
      { from: "a", to: "b" },
      { from: "b", to: "a" },
      { from: "b", to: "c" },
    ],
  );
  const svg = await markupOf(
    <Graph
      placed={placed}
      label="<all>"
      hot={(edge) => edge.to === "c"}
      draw={(node) => <text x={node.x}>{node.id}</text>}
    />,
  );
  expect(svg).toContain('aria-label="&lt;all&gt;"');
  expect(svg).toMatch(/<path class="edge" d="M100 10H142" marker-end="url\(#tip\)" marker-start="url\(#tip\)"/);
  expect(svg).toMatch(/<path class="edge hot" d="M244 10H286" marker-end="url\(#tip\)"(?! marker-start)/);
  expect(svg.match(/<text/g)).toHaveLength(3);
  expect(svg).not.toContain("style=");
});
