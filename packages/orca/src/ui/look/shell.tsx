/** The page around a page: top bar, foot, and what is opened over it. */
import { html, raw } from "hono/html";
import type { Child } from "hono/jsx";
import type { Frame, Place } from "./frame.ts";
import { HelpDialog, SearchDialog } from "./dialogs.tsx";
import { Icon } from "./icon.tsx";
import { SPRITE } from "./icons.ts";
import { stamp } from "./text.ts";
import { Time } from "./time.tsx";
import { TopBar } from "./top-bar.tsx";

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
