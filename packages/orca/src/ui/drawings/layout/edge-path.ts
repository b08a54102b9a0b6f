import { f2 } from "../../look/text.ts";
import type { GraphNode } from "../layout.ts";
import type { Box } from "./rows.ts";

/** The tip of an arrow ends so far before what it points at. */
const TIP = 2;

/** An SVG path through boxes, from the right of the first to the left of the last: level through those it passes, bent between. */
export function edgePath(chain: readonly Box<GraphNode>[]): string {
  const first = chain[0]!;
  let [x, y] = [first.x + first.width, centreOf(first)];
  let path = `M${f2(x)} ${f2(y)}`;
  for (const box of chain.slice(1)) {
    const isPassed = box.node === undefined;
    const [toX, toY] = [box.x - (isPassed ? 0 : TIP), centreOf(box)];
    const half = f2((x + toX) / 2);
    path += Math.abs(toY - y) < 1 ? `H${f2(toX)}` : `C${half} ${f2(y)} ${half} ${f2(toY)} ${f2(toX)} ${f2(toY)}`;
    x = isPassed ? box.x + box.width : toX;
    if (isPassed) path += `H${f2(x)}`;
    y = toY;
  }
  return path;
}

function centreOf(box: Box<GraphNode>): number {
  return box.y + box.height / 2;
}
