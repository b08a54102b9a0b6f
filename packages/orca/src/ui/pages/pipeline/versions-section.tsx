/** The code that a pipeline was registered with, the newest first. */
import { VERSION_RUNS_MAX } from "../../../state/pages/pipeline.ts";
import type { Frame } from "../../look/frame.ts";
import { Section } from "../../look/section.tsx";
import { num } from "../../look/text.ts";
import { Time } from "../../look/time.tsx";
import { CodeLink } from "./code-link.tsx";
import type { PipelineData } from "./read.ts";

export function VersionsSection({ data: { versions }, frame }: { readonly data: PipelineData; readonly frame: Frame }) {
  return (
    <Section id="versions" title="Versions" note={`Runs among the newest ${num(VERSION_RUNS_MAX)}.`}>
      <table class="tbl">
        <thead>
          <tr>
            <th scope="col">Code</th>
            <th scope="col">Changed</th>
            <th scope="col">First seen</th>
            <th scope="col" class="n">
              Runs
            </th>
          </tr>
        </thead>
        <tbody>
          {versions.map((version) => (
            <tr>
              <th scope="row">
                <CodeLink code={version} />
                {version.isCurrent && (
                  <>
                    {" "}
                    <span class="tag">now</span>
                  </>
                )}
              </th>
              <td>{changeWords(version.changed)}</td>
              <td>
                <Time at={version.firstSeenAt} now={frame.now} />
              </td>
              <td class="n">{num(version.runs)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </Section>
  );
}

const STEPS_MAX = 4;

function changeWords(changed: readonly string[] | null): string {
  if (changed === null) return "first version";
  if (changed.length === 0) return "no step";
  const more = changed.length - STEPS_MAX;
  return `${changed.slice(0, STEPS_MAX).join(", ")}${more > 0 ? ` and ${more} more` : ""}`;
}
