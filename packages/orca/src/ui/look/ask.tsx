/** Forms that act: they ask in a dialog of the page where there is script, and act at once where there is none. */
import type { Child } from "hono/jsx";

/** A button that opens a dialog, or posts what that would. */
export function Ask(given: {
  readonly action: string;
  readonly dialog: string;
  readonly label: string;
  readonly isFirst?: boolean;
}) {
  return (
    <form class="inline" method="post" action={given.action}>
      <button class={`btn ${given.isFirst === true ? "pri" : ""}`} data-open={given.dialog}>
        {given.label}
      </button>
    </form>
  );
}

/** The dialog of an `Ask`: what will happen, and two buttons. */
export function AskDialog(given: {
  readonly id: string;
  readonly title: string;
  readonly action: string;
  readonly keep: string;
  readonly act: string;
  readonly children?: Child;
}) {
  const form = `${given.id}-form`;
  return (
    <dialog id={given.id} aria-labelledby={`${given.id}-h`}>
      <div>
        <h2 id={`${given.id}-h`}>{given.title}</h2>
      </div>
      <form id={form} method="post" action={given.action}>
        {given.children}
      </form>
      <form class="foot-d" method="dialog">
        <button class="btn">{given.keep}</button>
        <button class="btn pri" type="submit" form={form}>
          {given.act}
        </button>
      </form>
    </dialog>
  );
}
