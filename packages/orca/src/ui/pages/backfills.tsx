/** All backfills, the newest first. */
import { Pager } from "../look/pager.tsx";
import { backfillHref, hrefWith, pipelineHref } from "../look/addresses.ts";
import { listBackfills } from "../../state/pages/backfills.ts";
import { Meter } from "../drawings/meter.tsx";
import { Name } from "../look/name.tsx";
import { Head, Section } from "../look/section.tsx";
import { StateMark } from "../look/state.tsx";
import { num } from "../look/text.ts";
import { Time } from "../look/time.tsx";
import { view } from "../view.ts";
import { backfillState, isGoingOn } from "./backfill/state.tsx";

const PAGE = 20;

export const backfillsView = view({
  path: "/backfills",
  async read({ database, query }) {
    const rows = await listBackfills(database, { before: query.id("before"), limit: PAGE + 1 });
    return { backfills: rows.slice(0, PAGE), before: rows.length > PAGE ? rows[PAGE - 1]!.id : null };
  },
  show({ backfills, before }, frame, { query }) {
    const live = backfills.filter(isGoingOn).length;
    const words = live === 0 ? "Live: waiting for a backfill" : `Live: ${live} of these are going on`;
    return {
      title: "Backfills",
      at: "Backfills",
      live: query.id("before") === undefined ? { topics: ["queue:*", "run:*"], words } : undefined,
      main: (
        <>
          <Head title="Backfills" />
          <Section id="list" title="All backfills">
            {backfills.length === 0 ? (
              <p class="note">None yet. A pipeline's page starts one: select what isn't done.</p>
            ) : (
              <table class="tbl cards mid-rows" data-list>
                <thead>
                  <tr>
                    <th scope="col">Backfill</th>
                    <th scope="col">State</th>
                    <th scope="col">Pipeline</th>
                    <th scope="col">Asked for</th>
                    <th scope="col" class="n">
                      Done
                    </th>
                    <th scope="col">By</th>
                    <th scope="col">Asked</th>
                  </tr>
                </thead>
                <tbody>
                  {backfills.map((row) => (
                    <tr>
                      <th scope="row">
                        <a class="lead" href={backfillHref(row.id)}>
                          {row.id}
                        </a>
                      </th>
                      <td>
                        <StateMark state={backfillState(row)} />
                      </td>
                      <td>
                        <a href={pipelineHref(row.pipeline)}>
                          <Name text={row.pipeline} />
                        </a>
                      </td>
                      <td class="mono wide">
                        <Name text={row.asked.slice(0, 60)} tail={12} />
                      </td>
                      <td class="n" data-l="Done">
                        {num(row.done)}
                        {row.isMore && "+"} of {num(row.keysQueued)}
                        <Meter part={row.done} whole={row.keysQueued} />
                      </td>
                      <td>{row.askedBy}</td>
                      <td>
                        <Time at={row.createdAt} now={frame.now} />
                      </td>
                    </tr>
                  ))}
                </tbody>
              </table>
            )}
            {before !== null && (
              <Pager label="Older" href={hrefWith("/backfills", { before })}>
                The newest first
              </Pager>
            )}
          </Section>
        </>
      ),
    };
  },
});
