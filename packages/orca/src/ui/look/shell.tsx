/** The page around a page: top bar, foot, and what is opened over it. */
import { html, raw } from "hono/html";
import type { Child } from "hono/jsx";
import { loginHref } from "./addresses.ts";
import type { Frame, Place } from "./frame.ts";
import { HelpDialog, SearchDialog } from "./dialogs.tsx";
import { Icon } from "./icon.tsx";
import { SPRITE } from "./icons.ts";
import { ago, stamp } from "./text.ts";
import { Time } from "./time.tsx";

const NAV: readonly (readonly [Place, string])[] = [
  ["Pipelines", "/"],
  ["Runs", "/runs"],
  ["Datasets", "/datasets"],
  ["Backfills", "/backfills"],
  ["Rebuilds", "/rebuilds"],
];

/** A scheduler that hasn't ticked for so long is said to be away. */
const SCHEDULER_AWAY_MS = 30_000;

export interface Shown {
  readonly title: string;
  /** Which link of the top bar it is under. */
  readonly at?: Place;
  readonly main: Child;
  /** Beside the content: a drawer, or dialogs. */
  readonly after?: Child;
  /** What its changes are heard of by, such as `run:7`; none for a page that doesn't change by itself. */
  readonly live?: { readonly topics: readonly string[]; readonly words: string } | undefined;
  /** Whether it has the top bar's links and the foot: true by default. */
  readonly isBare?: boolean;
}

/** The whole document. */
export function documentOf(shown: Shown, frame: Frame, assets: string) {
  const body = <Body shown={shown} frame={frame} />;
  const page = (
    <html lang="en" data-theme={frame.theme}>
      <head>
        <meta charset="utf-8" />
        <title>{shown.title} · Orca</title>
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <link rel="icon" href={`${assets}/icon.svg`} type="image/svg+xml" />
        <link rel="stylesheet" href={`${assets}/ui.css`} />
        <script type="module" src={`${assets}/client/main.js`} />
      </head>
      <body data-topics={shown.live?.topics.join(" ")}>
        {raw(SPRITE)}
        {body}
      </body>
    </html>
  );
  return html`<!doctype html>${page}`;
}

function Body({ shown, frame }: { readonly shown: Shown; readonly frame: Frame }) {
  const isBare = shown.isBare === true;
  return (
    <>
      <a class="skip" href="#main">
        Skip to content
      </a>
      <TopBar at={shown.at} isBare={isBare} frame={frame} />
      <main id="main" tabindex={-1}>
        {frame.told !== undefined && (
          <div class="say live" id="done" role="status">
            <Icon name="queued" class="g-queued" />
            <div>{frame.told}</div>
          </div>
        )}
        {shown.main}
      </main>
      {shown.after}
      {!isBare && <Foot shown={shown} frame={frame} />}
      {!isBare && <SearchDialog />}
      {!isBare && <HelpDialog />}
      <div id="say" class="vh" role="status" />
    </>
  );
}

function TopBar({
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

function Foot({ shown, frame }: { readonly shown: Shown; readonly frame: Frame }) {
  const json = new URL(`http://orca${frame.path}`);
  json.searchParams.set("format", "json");
  return (
    <footer class="foot">
      <span>Orca {frame.version}</span>
      <span id="page-time" data-live>
        Page of <Time at={frame.now} now={frame.now} words={stamp(frame.now)} />
      </span>
      {shown.live && (
        <span id="live" data-words={shown.live.words}>
          {shown.live.words}
        </span>
      )}
      <span>
        <a href={`${json.pathname}${json.search}`}>This page as JSON</a>
      </span>
    </footer>
  );
}
