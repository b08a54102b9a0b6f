/** The bar on top: the main places, how the scheduler is, search, theme and account. */
import { loginHref } from "./addresses.ts";
import type { Frame, Place } from "./frame.ts";
import { Icon } from "./icon.tsx";
import { ago, stamp } from "./text.ts";

const NAV: readonly (readonly [Place, string])[] = [
  ["Pipelines", "/"],
  ["Runs", "/runs"],
  ["Datasets", "/datasets"],
  ["Backfills", "/backfills"],
  ["Rebuilds", "/rebuilds"],
];

/** A scheduler that hasn't ticked for so long is said to be away. */
const SCHEDULER_AWAY_MS = 30_000;

export function TopBar({
  at,
  isBare,
  frame,
}: {
  readonly at: Place | undefined;
  readonly isBare: boolean;
  readonly frame: Frame;
}) {
  return (
    <header class="top">
      <a class="brand" href="/">
        <svg aria-hidden="true" viewBox="0 0 20 20">
          <path d="M2 15.5c4.2-.6 5.6-6.9 12.4-12-1.2 4.6-.3 8.3 3.6 12z" />
        </svg>
        Orca
      </a>
      {!isBare && (
        <nav class="nav" aria-label="Main">
          {NAV.map(([name, href]) => (
            <a href={href} aria-current={name === at ? "page" : undefined}>
              {name}
            </a>
          ))}
        </nav>
      )}
      <div class="top-end">
        {!isBare && <SchedulerBeat frame={frame} />}
        {!isBare && (
          <a class="find" href="/search" data-open="palette" aria-label="Search" aria-keyshortcuts="/">
            <Icon name="search" />
            <span>Search</span>
            <kbd>/</kbd>
          </a>
        )}
        <ThemeForm frame={frame} />
        {!isBare && <Account frame={frame} />}
      </div>
    </header>
  );
}

function SchedulerBeat({ frame: { scheduler, now } }: { readonly frame: Frame }) {
  if (scheduler === null) return <span class="beat" id="beat" data-live />;
  if (scheduler === undefined)
    return (
      <span class="beat" id="beat" data-live>
        <Icon name="warn" class="g-warn" />
        <span>No scheduler yet</span>
      </span>
    );
  const isAway = now.getTime() - scheduler.seenAt.getTime() > SCHEDULER_AWAY_MS;
  return (
    <span
      class="beat"
      id="beat"
      data-live
      title={`Scheduler on ${scheduler.host}, pid ${scheduler.pid}, ticked ${stamp(scheduler.seenAt)}`}
    >
      <Icon name={isAway ? "warn" : "beat"} class={isAway ? "g-warn" : "g-ok"} />
      <span>
        Scheduler {isAway ? "away, ticked" : "ticked"} {ago(scheduler.seenAt, now)}
      </span>
    </span>
  );
}

/** The themes, in the order that the button goes through them. */
const NEXT_THEME = { system: "light", light: "dark", dark: "system" } as const;

function ThemeForm({ frame }: { readonly frame: Frame }) {
  const theme = frame.theme ?? "system";
  const label = `Theme: ${theme === "system" ? "as the system" : theme}`;
  return (
    <form method="post" action="/theme" class="inline">
      <input type="hidden" name="back" value={frame.path} />
      <button
        class="btn bare sq"
        name="theme"
        value={NEXT_THEME[theme]}
        data-theme-toggle={theme}
        aria-label={label}
        title={label}
      >
        <Icon name="theme" />
      </button>
    </form>
  );
}

function Account({ frame: { user, docsUrl, path } }: { readonly frame: Frame }) {
  return (
    <details class="menu">
      <summary class="btn bare sq" aria-label={user === undefined ? "Account" : `${user}: account`}>
        <Icon name="user" />
      </summary>
      <div>
        {user !== undefined && <span class="dim">Signed in as {user}</span>}
        <button type="button" data-open="help">
          Keyboard<kbd>?</kbd>
        </button>
        {docsUrl !== undefined && <a href={docsUrl}>Documentation</a>}
        {user === undefined ? (
          <a href={loginHref(path)}>Log in</a>
        ) : (
          <form method="post" action="/logout">
            <button type="submit">Log out</button>
          </form>
        )}
      </div>
    </details>
  );
}
