/** All rebuilds. */
import { Pager } from "../look/pager.tsx";
import { datasetHref, hrefWith, rebuildHref } from "../look/addresses.ts";
import { listRebuilds } from "../../state/pages/rebuilds.ts";
import { Meter } from "../drawings/meter.tsx";
import { Name } from "../look/name.tsx";
import { Head, Section } from "../look/section.tsx";
import { Mark } from "../look/state.tsx";
import { num, span } from "../look/text.ts";
import { Time } from "../look/time.tsx";
import { view } from "../view.ts";
import { markOf } from "./rebuild/state.ts";

const PAGE = 20;

export const rebuildsView = view({
  path: "/rebuilds",
  async read({ database, query }) {
    const rows = await listRebuilds(database, { before: query.id("before"), limit: PAGE + 1 });
    return { rebuilds: rows.slice(0, PAGE), before: rows.length > PAGE ? rows[PAGE - 1]!.id : null };
  },
  show({ rebuilds, before }, frame, { query }) {
    return {
      title: "Rebuilds",
      at: "Rebuilds",
      live:
        query.id("before") === undefined
          ? { topics: ["queue:*", "run:*"], words: "Live: changes arrive as they happen" }
          : undefined,
      main: (
        <>
          <Head title="Rebuilds" />
          <Section id="list" title="All rebuilds">
            {rebuilds.length === 0 ? (
              <p class="note">
                None yet. A dataset's page starts one: all that is made from some of its partitions is run anew.
              </p>
            ) : (
              <table class="tbl cards mid-rows" data-list>
                <thead>
                  <tr>
                    <th scope="col">Rebuild</th>
                    <th scope="col">State</th>
                    <th scope="col">From</th>
                    <th scope="col">Partitions</th>
                    <th scope="col" class="n">
                      Queued
                    </th>
                    <th scope="col">By</th>
                    <th scope="col">Asked</th>
                  </tr>
                </thead>
                <tbody>
                  {rebuilds.map((row) => (
                    <tr>
                      <th scope="row">
                        <a class="lead" href={rebuildHref(row.id)}>
                          {row.id}
                        </a>
                      </th>
                      <td>
                        <Mark {...markOf(row)} />
                      </td>
                      <td>
                        <a href={datasetHref(row.dataset)}>{row.dataset}</a>
                      </td>
                      <td class="mono wide">
                        <Name text={span(row.first, row.last)} />
                      </td>
                      <td class="n" data-l="Queued">
                        {num(row.levelsQueued)} of {num(row.levels)}
                        <Meter part={row.levelsQueued} whole={row.levels} />
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
              <Pager label="Older" href={hrefWith("/rebuilds", { before })}>
                The newest first
              </Pager>
            )}
          </Section>
        </>
      ),
    };
  },
});
