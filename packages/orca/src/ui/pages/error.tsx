/** Pages for what went wrong. */
import type { OrcaError } from "../../core/errors.ts";
import { Icon } from "../look/icon.tsx";
import { Section } from "../look/section.tsx";
import type { Shown } from "../look/shell.tsx";

/** What was asked for is wrong, or isn't there. */
export function ErrorPage(status: number, error: OrcaError): Shown {
  const title = status === 404 ? "Not found" : status < 500 ? "This can't be shown" : "Something went wrong here";
  return {
    title,
    main: (
      <div class="center">
        <h1>{title}</h1>
        <div class="say bad" role="alert">
          <Icon name="failed" class="g-failed" />
          <div>{error.message}</div>
        </div>
        <p class="lede">
          <a href="/">All pipelines</a>, or <a href="/runs">all runs</a>.
        </p>
      </div>
    ),
  };
}

/** Postgres doesn't answer: the page asks again by itself. */
export function DatabaseAwayPage(error: OrcaError): Shown {
  return {
    title: "Postgres is away",
    live: { topics: [], words: "Trying again" },
    main: (
      <div class="center" data-away>
        <h1>Postgres is away</h1>
        <p class="lede">This page is made from rows in Postgres, and it does not answer. It comes back by itself.</p>
        <div class="say bad" role="alert">
          <Icon name="failed" class="g-failed" />
          <div>
            <b>{error.message}</b>
            <br />
            <span class="dim2">
              Next try in <span data-count="5">5</span> s.
            </span>
          </div>
          <a class="btn" href="" data-retry>
            Try now
          </a>
        </div>
        <Section id="what" title="What goes on meanwhile">
          <ul class="plain">
            <li>
              <b>Runs</b> go on and try again for up to ORCA_DATABASE_PATIENCE_SECONDS, then stop. Nothing is done
              twice: they are resumed at the step they were in.
            </li>
            <li>
              <b>The scheduler</b> makes the fires that it missed when Postgres is back, once each.
            </li>
            <li>
              <b>Actions</b> cannot be taken here until then. None is kept for later.
            </li>
          </ul>
        </Section>
      </div>
    ),
  };
}
