import type { Child } from "hono/jsx";
import { Icon } from "./icon.tsx";

/** What went wrong, with what it said of itself. */
export function Failure(given: {
  readonly title: string;
  readonly words?: Child;
  readonly error: string | null;
  readonly href?: string;
}) {
  return (
    <div class="say bad" role="group" aria-label="What failed">
      <Icon name="failed" class="g-failed" />
      <div>
        <b>{given.title}</b> <span class="dim2">{given.words}</span>
        {given.error !== null && (
          <pre tabindex={0} aria-label="Error">
            {given.error}
          </pre>
        )}
      </div>
      {given.href !== undefined && (
        <a class="btn" href={given.href} data-drawer>
          Open attempt
        </a>
      )}
    </div>
  );
}
