import type { TablePreview } from "../../../core/table-preview.ts";

/** The first rows of a table. */
export function PreviewTable({ table }: { readonly table: TablePreview }) {
  const { columns, rows } = table;
  if (rows.length === 0) return <p class="dim">It has no rows.</p>;
  return (
    <div class="scroll" tabindex={0} role="region" aria-label="Preview of rows, scrolls sideways">
      <table class="tbl pre">
        <thead>
          <tr>
            {columns.map(({ name, isNumber }) => (
              <th scope="col" class={isNumber ? "n" : undefined}>
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr>
              {row.map((text, place) => (
                <td class={columns[place]!.isNumber ? "n" : undefined}>{text ?? <span class="dim">null</span>}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
