/** A graph as SVG: its edges, and its nodes as whoever has them draws them. */
import type { Child } from "hono/jsx";
import type { IconName } from "../look/icons.ts";
import type { GraphNode, Layout } from "./layout.ts";

type Placed<Node extends GraphNode> = Layout<Node>["nodes"][number];
type PlacedEdge<Node extends GraphNode> = Layout<Node>["edges"][number];

/** Around what is drawn, for lines and for the ring of focus. */
const PAD = 4;

/**
 * Draws it at its own size: put it in what scrolls, such as {@link Drawing}.
 *
 * @param hot which edges stand out. @param draw makes a node's own markup, at its x and y.
 */
export function Graph<Node extends GraphNode>({
  placed,
  label,
  draw,
  hot = () => false,
}: {
  readonly placed: Layout<Node>;
  /** What it is a graph of. */
  readonly label: string;
  readonly draw: (node: Placed<Node>) => Child;
  readonly hot?: (edge: PlacedEdge<Node>) => boolean;
}) {
  const [width, height] = [placed.width + PAD * 2, placed.height + PAD * 2];
  return (
    <svg width={width} height={height} viewBox={`${-PAD} ${-PAD} ${width} ${height}`} role="group" aria-label={label}>
      <g>
        {placed.edges.map((edge) => (
          <path
            class={hot(edge) ? "edge hot" : "edge"}
            d={edge.path}
            marker-end={edge.tips !== "start" ? "url(#tip)" : undefined}
            marker-start={edge.tips !== "end" ? "url(#tip)" : undefined}
          />
        ))}
      </g>
      {placed.nodes.map(draw)}
    </svg>
  );
}

/** What a drawing that may be wider than the page scrolls in. */
export function Drawing({ label, children }: { readonly label: string; readonly children?: Child }) {
  return (
    <div class="draw" tabindex={0} role="region" aria-label={`${label}, scrolls sideways`}>
      {children}
    </div>
  );
}

/** The colours of symbols whose own name has none. */
const COLOURS: Partial<Record<IconName, string>> = { failing: "failed", behind: "warn" };

/** A symbol within a drawing. */
export function Glyph({
  name,
  x,
  y,
  size = 14,
}: {
  readonly name: IconName;
  readonly x: number;
  readonly y: number;
  readonly size?: number;
}) {
  return <use class={`i g-${COLOURS[name] ?? name}`} href={`#i-${name}`} x={x} y={y} width={size} height={size} />;
}
