import type { Child } from "hono/jsx";

/** A fact with what is less of one under it. */
export function Two({ first, second }: { readonly first: Child; readonly second: Child }) {
  return (
    <>
      {first}
      {second && (
        <>
          <br />
          <small>{second}</small>
        </>
      )}
    </>
  );
}
