/** The cells of a grid, or of a part of it, in their order. */
export function cellsOf(part: ParentNode): readonly HTMLElement[] {
  return [...part.querySelectorAll<HTMLElement>(".c[data-k]")];
}
