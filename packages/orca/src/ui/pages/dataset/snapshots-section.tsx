/** The snapshots that runs have made, the newest first. */
import { Section } from "../../look/section.tsx";
import { atLeast } from "../../look/text.ts";
import type { DatasetPage } from "./read-dataset.ts";
import { SnapshotsTable } from "./snapshots-table.tsx";

export function SnapshotsSection({ page, now }: { readonly page: DatasetPage; readonly now: Date }) {
  const { snapshots, next, commits } = page;
  return (
    <Section id="snapshots" title="Snapshots">
      {snapshots.length === 0 ? (
        <p class="dim">None that a run has made.</p>
      ) : (
        <SnapshotsTable snapshots={snapshots} now={now} />
      )}
      {next !== null && (
        <p class="pager">
          <span>
            {snapshots.length} of {atLeast(commits)} commits
          </span>
          <a class="btn bare" href={`?before=${next}#snapshots`}>
            Older
          </a>
        </p>
      )}
    </Section>
  );
}
