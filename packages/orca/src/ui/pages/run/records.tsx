/** What a run read and made, and who did what to it. */
import { attemptHref, datasetHref, hrefWith } from "../../look/addresses.ts";
import type { RunAction, RunRecords } from "../../../state/pages/run-records.ts";
import type { Frame } from "../../look/frame.ts";
import { Section } from "../../look/section.tsx";
import { num, plural } from "../../look/text.ts";
import { Time } from "../../look/time.tsx";
import { snapshotName } from "./snapshot-name.ts";

interface Given {
  readonly run: number;
  readonly records: RunRecords;
  readonly frame: Frame;
}

export function Snapshots({ run, records, frame }: Given) {
  return (
    <div class="cols-2">
      <div>
        <Section id="read" title="Snapshots read">
          {records.reads.length > 0 && (
            <table class="tbl">
              <Columns names={["Snapshot", "By", "Pinned"]} />
              <tbody>
                {records.reads.map((read) => (
                  <tr>
                    <th scope="row" class="mono">
                      <SnapshotLink dataset={read.dataset} snapshot={read.snapshot} />
                    </th>
                    <td>
                      {read.step}, {plural(read.partitions, "partition")}
                    </td>
                    <td>
                      <Time at={read.at} now={frame.now} />
                    </td>
                  </tr>
                ))}
              </tbody>
            </table>
          )}
          {records.reads.length === 0 && <p class="dim">None</p>}
        </Section>
      </div>
      <div>
        <Section id="made" title="Snapshots made">
          {records.commits.length > 0 && (
            <table class="tbl">
              <Columns names={["Snapshot", "By", "Rows", "Committed"]} />
              <tbody>
                {records.commits.map((commit) => (
                  <tr>
                    <th scope="row" class="mono">
                      <SnapshotLink dataset={commit.dataset} snapshot={commit.snapshot} />
                    </th>
                    <td>
                      <a href={attemptHref(run, commit.step, commit.partition, commit.attempt)} data-drawer>
                        {commit.step} {commit.partition}
                      </a>
                    </td>
                    <td class="n">{commit.rowsAdded === null ? commit.operation : `+${num(commit.rowsAdded)}`}</td>
                    <td>
                      <Time at={commit.at} now={frame.now} />
                    </td>
                  </tr>
                ))}
              </tbody>
            </table>
          )}
          {records.commits.length === 0 && <p class="dim">None</p>}
          {records.hasMoreCommits && <p class="note">The newest {records.commits.length} of more</p>}
        </Section>
      </div>
    </div>
  );
}

export function SnapshotLink({ dataset, snapshot }: { readonly dataset: string; readonly snapshot: string | null }) {
  const href = hrefWith(datasetHref(dataset), { snapshot: snapshot ?? undefined });
  return <a href={href}>{snapshotName(dataset, snapshot)}</a>;
}

function Columns({ names }: { readonly names: readonly string[] }) {
  return (
    <thead>
      <tr>
        {names.map((name) => (
          <th scope="col" class={name === "Rows" ? "n" : undefined}>
            {name}
          </th>
        ))}
      </tr>
    </thead>
  );
}

export function Actions({ records: { actions }, frame }: Given) {
  return (
    <Section id="actions" title="Actions" note="Who did what to this run.">
      {actions.length === 0 ? (
        <p class="dim">None</p>
      ) : (
        <table class="tbl">
          <Columns names={["When", "Who", "What"]} />
          <tbody>
            {actions.map((action) => (
              <tr>
                <td>
                  <Time at={action.at} now={frame.now} />
                </td>
                <td>{action.actor}</td>
                <td>{actionWords(action)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </Section>
  );
}

/** `rerun: as 7, allows new code`. */
function actionWords({ action, detail }: RunAction): string {
  const details = Object.entries(detail ?? {}).flatMap(([name, value]) => {
    const words = name.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
    if (typeof value === "boolean") return value ? [words] : [];
    return [`${words} ${typeof value === "string" ? value : JSON.stringify(value)}`];
  });
  return details.length === 0 ? action : `${action}: ${details.join(", ")}`;
}
