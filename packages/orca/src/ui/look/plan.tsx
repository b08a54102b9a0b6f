/** A page that says what will be done before it is: where there is script, the page before shows it in a dialog. */
import type { Child } from "hono/jsx";
import { Crumb } from "./section.tsx";

export function Plan(given: {
  readonly title: string;
  readonly links: readonly (readonly [text: string, href: string])[];
  /** What will be done. */
  readonly children?: Child;
  /** Where it is asked for; or, with `asksFirst`, where the plan of what is filled in here is. */
  readonly action: string;
  readonly formId?: string;
  readonly asksFirst?: boolean;
  readonly fields?: Child;
  /** Where one is if it isn't done. */
  readonly keep: string;
  /** The button that has it done. */
  readonly act: Child;
}) {
  const { title, links, children, action, formId, asksFirst = false, fields, keep, act } = given;
  return (
    <>
      <Crumb links={links} />
      <div data-dialog class="ask">
        <div>
          <h1 id="confirm-h">{title}</h1>
        </div>
        <div>{children}</div>
        <form
          class="foot-d"
          id={formId}
          method={asksFirst ? "get" : "post"}
          action={action}
          data-confirm={asksFirst ? "" : undefined}
        >
          {fields}
          <a class="btn" href={keep} data-keep>
            Keep as it is
          </a>
          {act}
        </form>
      </div>
    </>
  );
}
