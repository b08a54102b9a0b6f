/** What is found by a name, a number or the beginning of a key: also for the dialog that searches as one types. */
import { datasetHref, hrefWith, pipelineHref, runHref } from "../look/addresses.ts";
import { search, type Found } from "../../state/pages/search.ts";
import { Icon } from "../look/icon.tsx";
import type { IconName } from "../look/icons.ts";
import { Head, Section } from "../look/section.tsx";
import { STATE_WORDS, stateOf } from "../look/state.tsx";
import { view } from "../view.ts";

/** What leads there, and how it is told. */
interface FoundPage extends Found {
  readonly path: string;
  /** `pipeline`, `run of labels, failed`. */
  readonly words: string;
}

const ICONS: Readonly<Record<Found["kind"], IconName>> = {
  pipeline: "flow",
  dataset: "data",
  run: "run",
  key: "gather",
};

export const searchView = view({
  path: "/search",
  async read({ database, query }) {
    const text = query.text("q") ?? null;
    const found = text === null ? [] : await search(database, text);
    return { text, found: found.map((one): FoundPage => ({ ...one, path: pathOf(one), words: wordsOf(one) })) };
  },
  show({ text, found }) {
    return {
      title: text === null ? "Search" : `${text}: search`,
      main: (
        <>
          <Head title="Search" />
          <form action="/search" class="bar-f" role="search">
            <input
              class="in"
              type="search"
              name="q"
              value={text ?? ""}
              maxlength={256}
              aria-label="Search pipelines, datasets, runs and keys"
              placeholder="Pipeline, dataset, run number or key"
            />
            <button class="btn">Search</button>
          </form>
          {text !== null && <FoundSection text={text} found={found} />}
        </>
      ),
    };
  },
});

function FoundSection({ text, found }: { readonly text: string; readonly found: readonly FoundPage[] }) {
  if (found.length === 0)
    return (
      <Section id="list" title="Nothing found">
        <p class="dim">
          No pipeline and no dataset has “{text}” in its name, there is no run of that number, and no key begins with
          it.
        </p>
      </Section>
    );
  return (
    <Section id="list" title="Found" note="At most 8 of a kind.">
      <table class="tbl cards" data-list>
        <thead>
          <tr>
            <th scope="col">Name</th>
            <th scope="col">What it is</th>
          </tr>
        </thead>
        <tbody>
          {found.map(({ kind, name, path, words }) => (
            <tr>
              <th scope="row" class="wide">
                <Icon name={ICONS[kind]} class="dim" />{" "}
                <a class="lead" href={path}>
                  {name}
                </a>
              </th>
              <td>{words}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </Section>
  );
}

function pathOf({ kind, name, pipeline }: Found): string {
  if (kind === "run") return runHref(Number(name));
  if (kind === "key") return hrefWith("/runs", { pipeline: pipeline!, partition: name });
  return kind === "pipeline" ? pipelineHref(name) : datasetHref(name);
}

function wordsOf({ kind, pipeline, status }: Found): string {
  if (kind === "run") return `run of ${pipeline}, ${STATE_WORDS[stateOf(status!)].toLowerCase()}`;
  return kind === "key" ? `runs of a key of ${pipeline}` : kind;
}
