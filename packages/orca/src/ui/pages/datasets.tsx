/** All datasets that pipelines read and write. */
import { NameFilter } from "../look/name-filter.tsx";
import { Pager } from "../look/pager.tsx";
import { datasetHref, hrefWith } from "../look/addresses.ts";
import { listDatasets, type DatasetRow } from "../../state/pages/datasets.ts";
import { Head, Section } from "../look/section.tsx";
import { atLeast, num } from "../look/text.ts";
import { Time } from "../look/time.tsx";
import { view } from "../view.ts";

const PAGE = 200;

export const datasetsView = view({
  path: "/datasets",
  async read({ database, query }) {
    const rows = await listDatasets(database, { after: query.text("after") ?? "", limit: PAGE + 1 });
    const datasets = rows.slice(0, PAGE);
    return { datasets, next: rows.length > PAGE ? datasets.at(-1)!.name : null };
  },
  show({ datasets, next }, { now }) {
    return {
      title: "Datasets",
      at: "Datasets",
      main: (
        <>
          <Head title="Datasets" actions={<NameFilter list="list" />} />
          <Section id="list" title="All datasets">
            {datasets.length === 0 ? (
              <p class="dim">No registered pipeline says which datasets it reads or writes.</p>
            ) : (
              <DatasetsTable datasets={datasets} now={now} />
            )}
            {next !== null && (
              <Pager label="Next" href={hrefWith("/datasets", { after: next })}>
                {datasets.length} from {datasets[0]!.name} on
              </Pager>
            )}
          </Section>
        </>
      ),
    };
  },
});

function DatasetsTable({ datasets, now }: { readonly datasets: readonly DatasetRow[]; readonly now: Date }) {
  return (
    <table class="tbl cards" data-list>
      <thead>
        <tr>
          <th scope="col">Dataset</th>
          <th scope="col" class="n">
            Rows
          </th>
          <th scope="col" class="n">
            Commits
          </th>
          <th scope="col">Newest</th>
          <th scope="col">Made by</th>
          <th scope="col">Read by</th>
        </tr>
      </thead>
      <tbody>
        {datasets.map(({ name, newest, commits, madeBy, readBy }) => (
          <tr data-name={name}>
            <th scope="row" class="wide">
              <a class="lead" href={datasetHref(name)}>
                {name}
              </a>
            </th>
            <td class="n" data-l="Rows">
              {newest === null || newest.rowsTotal === null ? <span class="dim">unknown</span> : num(newest.rowsTotal)}
            </td>
            <td class="n" data-l="Commits">
              {atLeast(commits)}
            </td>
            <td>{newest === null ? <span class="dim">none</span> : <Time at={newest.at} now={now} />}</td>
            <td>{madeBy.length === 0 ? <span class="dim">not Orca</span> : madeBy.join(", ")}</td>
            <td class="wide">{readBy.length === 0 ? <span class="dim">nothing</span> : readBy.join(", ")}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
