/** How a pipeline comes to be on the pages: what there is to read while there is none. */
import { Command } from "../../look/section.tsx";
import type { Frame } from "../../look/frame.ts";

const FILE = `import { mapped, type Month, monthly, pipeline } from "orcajs";

const hello = mapped("hello", async (ctx, month: Month) => {
  ctx.log(\`hello, \${month}\`);
  return month;
});

export default pipeline("hello", {
  steps: [hello],
  partitions: monthly("2026-01"),
});`;
const REGISTER = `export ORCA_DATABASE_URL=postgresql://localhost/orca
npx orca register hello.ts
npx orca backfill hello 2026-01..2026-03`;

/** @param isWaiting whether the page becomes another when there is a pipeline. */
export function FirstSteps({
  title,
  frame,
  isWaiting,
}: {
  readonly title: string;
  readonly frame: Frame;
  readonly isWaiting: boolean;
}) {
  return (
    <div class="center" data-whole={isWaiting ? "" : undefined}>
      <h1>{title}</h1>
      <p class="lede">
        A pipeline is a TypeScript file of typed steps. Register it: the list of pipelines shows it at once.
      </p>
      <ol class="steps-l">
        <li>
          <h2>Write one</h2>
          <p class="dim2">In a folder that has the package orcajs, as hello.ts.</p>
          <Command text={FILE} />
        </li>
        <li>
          <h2>Register it, and ask for some months</h2>
          <p class="dim2">With the same database as this page, so that both see the same rows.</p>
          <Command text={REGISTER} />
        </li>
        <li>
          <h2>Start the scheduler</h2>
          <p class="dim2">
            It makes the fires and starts the runs.
            {frame.scheduler === undefined && " None has ticked on this database yet."}
          </p>
          <Command text="npx orca scheduler" />
        </li>
      </ol>
      <p class="note top-gap">
        {isWaiting && "Waiting for a pipeline: this page changes by itself. "}
        {frame.docsUrl !== undefined && (
          <>
            <a href={frame.docsUrl}>The documentation</a> says the rest.
          </>
        )}
      </p>
    </div>
  );
}
