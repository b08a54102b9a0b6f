import { datasetHref, hrefWith, runHref } from "../../look/addresses.ts";
import { Drawing, Glyph, Graph } from "../../drawings/graph.tsx";
import { layout } from "../../drawings/layout.ts";
import { STATE_WORDS, stateOf } from "../../look/state.tsx";
import { cut } from "../../look/text.ts";
import type { AttemptNode, LineageGraph, SnapshotNode } from "./lineage-graph.ts";

const [WIDTH, HEIGHT] = [168, 42];

/** A pill is a snapshot, a box is a step of a run. */
export function LineageDrawing({ graph }: { readonly graph: LineageGraph }) {
  const nodes = graph.nodes.map((node) => ({ ...node, width: WIDTH, height: HEIGHT }));
  const placed = layout(nodes, graph.edges, { gapX: 32, gapY: 10 });
  const here = `${graph.dataset}@${graph.snapshot}`;
  return (
    <Drawing label="Lineage">
      <Graph
        placed={placed}
        label={`Lineage of ${graph.dataset} at ${graph.snapshot}`}
        draw={(node) =>
          node.kind === "snapshot" ? <SnapshotPill node={node} isHere={node.id === here} /> : <StepBox node={node} />
        }
      />
    </Drawing>
  );
}

interface Place {
  readonly x: number;
  readonly y: number;
}

function SnapshotPill({ node, isHere }: { readonly node: SnapshotNode & Place; readonly isHere: boolean }) {
  const { x, y, dataset, snapshot, partition } = node;
  const short = `…${snapshot.slice(-5)}`;
  const isOther = partition === null;
  const what = isOther ? short : `${short} ${partition}`;
  return (
    <a class={isHere ? "node data here" : "node data"} href={hrefWith(datasetHref(dataset), { snapshot }, "#lineage")}>
      <title>{`Snapshot ${snapshot} of ${dataset}${isOther ? ": not made by Orca" : ` ${partition}`}`}</title>
      <rect x={x} y={y} width={WIDTH} height={HEIGHT} rx="21" class={isOther ? "ext" : undefined} />
      <g class="dim-i">
        <Glyph name="data" x={x + 14} y={y + 8} />
      </g>
      <text x={x + 34} y={y + 18}>
        {cut(dataset, 19)}
      </text>
      <text class="t1" x={x + 34} y={y + 33}>
        {cut(what, 24)}
      </text>
    </a>
  );
}

function StepBox({ node }: { readonly node: AttemptNode & Place }) {
  const { x, y, pipeline, run, runStatus, step, partitions } = node;
  const state = stateOf(runStatus);
  const of = partitions.length > 1 ? `${partitions.length} partitions` : (partitions[0] ?? "");
  return (
    <a class={`node ${state}`} href={runHref(run)}>
      <title>{`Run ${run} of ${pipeline}, ${step} ${of}: ${STATE_WORDS[state].toLowerCase()}`}</title>
      <rect x={x} y={y} width={WIDTH} height={HEIGHT} rx="6" />
      <Glyph name={state} x={x + 10} y={y + 8} />
      <text x={x + 30} y={y + 18}>
        {cut(pipeline, 18 - String(run).length)} {run}
      </text>
      <text class="t1" x={x + 30} y={y + 33}>
        {cut(`${step} ${of}`, 24)}
      </text>
    </a>
  );
}
