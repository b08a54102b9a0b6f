/** The lineage near a snapshot, both ways or one. */
import { Section } from "../../look/section.tsx";
import { LineageDrawing } from "./lineage-drawing.tsx";
import type { DatasetPage } from "./read-dataset.ts";

export function LineageSection({ page: { lineage, direction } }: { readonly page: DatasetPage }) {
  const of = lineage === null ? "" : `&snapshot=${lineage.snapshot}`;
  const words = { both: "Both ways", back: "Back", forward: "Forward" } as const;
  return (
    <Section
      id="lineage"
      title="Lineage"
      note={`What the snapshot was made from, and what was made from it. A pill is a snapshot, a box is a step of a run.${lineage?.isCut === true ? " There is more than is shown: choose a snapshot to go on from." : ""}`}
      tools={
        lineage !== null && (
          <div class="seg" role="group" aria-label="Direction">
            {(["both", "back", "forward"] as const).map((one) => (
              <a href={`?direction=${one}${of}#lineage`} aria-current={one === direction ? "true" : undefined}>
                {words[one]}
              </a>
            ))}
          </div>
        )
      }
    >
      {lineage === null ? (
        <p class="dim">No run on record has made or read a snapshot of it.</p>
      ) : (
        <LineageDrawing graph={lineage} />
      )}
    </Section>
  );
}
