/** The parts that a page is made of. */
import type { Child } from "hono/jsx";

/** A part of a page under a heading of its own. Live pages replace it by its id when what it shows has changed. */
export function Section(given: {
  readonly id: string;
  readonly title: Child;
  readonly note?: Child;
  /** At the end of the heading's line. */
  readonly tools?: Child;
  readonly class?: string;
  readonly children?: Child;
}) {
  const { id, title, note, tools, children } = given;
  return (
    <section class={`sec ${given.class ?? ""}`} id={id} aria-labelledby={`${id}-h`} data-live>
      <div class="sec-h">
        <h2 id={`${id}-h`}>{title}</h2>
        {note && <p class="note">{note}</p>}
        {tools && <div class="tools">{tools}</div>}
      </div>
      {children}
    </section>
  );
}

/** A page's heading, with the state of what it is about and what can be done with it. */
export function Head({
  title,
  beside,
  actions,
}: {
  readonly title: Child;
  readonly beside?: Child;
  readonly actions?: Child;
}) {
  return (
    <div class="head" id="head" data-live>
      <div class="head-l">
        <h1>{title}</h1>
        {beside}
      </div>
      {actions && <div class="head-r">{actions}</div>}
    </div>
  );
}

/** Where a page is: links to what it is a part of, outermost first. */
export function Crumb({ links }: { readonly links: readonly (readonly [text: string, href: string])[] }) {
  return (
    <p class="crumb">
      {links.map(([text, href]) => (
        <>
          <a href={href}>{text}</a> /{" "}
        </>
      ))}
    </p>
  );
}

/** What is known of something, as terms with what they are. */
export function Facts({
  pairs,
  id = "facts",
}: {
  readonly pairs: readonly (readonly [term: string, what: Child] | undefined)[];
  readonly id?: string;
}) {
  return (
    <dl class="facts" id={id} data-live>
      {pairs.map(
        (pair) =>
          pair && (
            <div>
              <dt>{pair[0]}</dt>
              <dd>{pair[1]}</dd>
            </div>
          ),
      )}
    </dl>
  );
}

/** A command to copy. */
export function Command({ text }: { readonly text: string }) {
  return (
    <div class="cmd">
      <pre tabindex={0} aria-label="Command">
        {text}
      </pre>
      <button class="btn" type="button" data-copy={text}>
        Copy
      </button>
    </div>
  );
}

/** A message with a rule at its start. */
export function Say({
  tone,
  role,
  children,
}: {
  readonly tone: "bad" | "warn" | "live";
  readonly role?: string;
  readonly children?: Child;
}) {
  return (
    <div class={`say ${tone}`} role={role}>
      {children}
    </div>
  );
}
