/** The first page: all pipelines, and what each is doing. */
import { listPipelines, type PipelineRow } from "../../state/pages/pipelines.ts";
import { Strip } from "../drawings/strip.tsx";
import { Name } from "../look/name.tsx";
import { Head, Section } from "../look/section.tsx";
import { stateOf } from "../look/state.tsx";
import { view } from "../view.ts";

const PAGE = 200;

export const pipelinesView = view({
  path: "/",
  async read({ database, query }) {
    return { pipelines: await listPipelines(database, { after: query.text("after"), limit: PAGE }) };
  },
  show({ pipelines }) {
    return {
      title: "Pipelines",
      at: "Pipelines",
      live: { topics: ["pipeline:*", "run:*", "queue:*"], words: "Live: changes arrive as they happen" },
      main: (
        <>
          <Head title="Pipelines" />
          <Section id="list" title="All pipelines">
            <table class="tbl cards" data-list>
              <tbody>
                {pipelines.map((row) => (
                  <PipelineLine row={row} />
                ))}
              </tbody>
            </table>
          </Section>
        </>
      ),
    };
  },
});

function PipelineLine({ row }: { readonly row: PipelineRow }) {
  const runs = row.runs.map(({ status, tookMs }) => ({ state: stateOf(status), tookMs: tookMs ?? 0 })).toReversed();
  return (
    <tr>
      <th scope="row" class="wide">
        <a class="lead" href={`/pipelines/${row.name}`}>
          <Name text={row.name} tail={10} />
        </a>
        <small>
          {row.partitions.kind}, {row.stepCount} steps
        </small>
      </th>
      <td class="strip-c">
        <Strip runs={runs} />
      </td>
    </tr>
  );
}
