/** Hides the rows of a list whose names don't have what is typed; without script it searches for that. @param list the list's id. */
export function NameFilter({ list }: { readonly list: string }) {
  return (
    <form action="/search" class="inline" role="search">
      <input
        class="in"
        type="search"
        name="q"
        aria-label="Filter by name"
        placeholder="Filter by name"
        data-filter={list}
      />
    </form>
  );
}
