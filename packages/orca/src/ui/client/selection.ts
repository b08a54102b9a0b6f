/**
 * Selecting in grids with `data-select` (the pipeline's name), and what the bar below says will happen to what is selected. The bar is a form with `keys`, which
 * works by itself: what is typed there is what is acted on.
 */
import { cellsOf } from "./cells.ts";

const LIVE = ["running", "queued"];

/** What is selected in each grid, by its id, as a live page replaces them; and where a range begins. */
const selected = new Map<string, ReadonlySet<string>>();
const anchors = new Map<string, string>();
let isDragging = false;

/** @returns whether the grid is one to select in. */
export function selectByClick(grid: HTMLElement, cell: HTMLElement, isRange: boolean): boolean {
  if (!maySelect(grid)) return false;
  const anchor = anchorOf(grid);
  if (isRange && anchor !== undefined) selectRange(grid, anchor, cell);
  else {
    const before = selected.get(grid.id);
    const isOnly = before?.size === 1 && before.has(cell.dataset["k"]!);
    select(grid, isOnly ? [] : [cell]);
    anchors.set(grid.id, cell.dataset["k"]!);
    isDragging = true;
  }
  return true;
}

/** With the pointer held down. */
export function selectByMove(grid: HTMLElement, cell: HTMLElement): void {
  const anchor = anchorOf(grid);
  if (isDragging && maySelect(grid) && anchor !== undefined) selectRange(grid, anchor, cell);
}

export function selectByKey(grid: HTMLElement, cell: HTMLElement): void {
  if (!maySelect(grid)) return;
  const before = selected.get(grid.id) ?? new Set();
  const key = cell.dataset["k"]!;
  anchors.set(grid.id, key);
  select(
    grid,
    cellsOf(grid).filter((other) => (other === cell ? !before.has(key) : before.has(other.dataset["k"]!))),
  );
}

/** As the focus moves. */
export function selectTo(grid: HTMLElement, from: HTMLElement, to: HTMLElement, isRange: boolean): void {
  if (!maySelect(grid)) return;
  if (isRange) selectRange(grid, anchorOf(grid) ?? from, to);
  else anchors.set(grid.id, to.dataset["k"]!);
}

export function selectInGrids(): void {
  for (const grid of document.querySelectorAll<HTMLElement>("[data-select]")) {
    const keys = cellsOf(grid).filter((cell) => cell.ariaSelected === "true");
    select(grid, keys);
  }
  document.addEventListener("input", (event) => {
    const bar = (event.target as HTMLInputElement).closest<HTMLFormElement>("form[data-act]");
    if (bar !== null) takeTyped(bar, (event.target as HTMLInputElement).value.trim());
  });
  document.addEventListener("pointerup", () => (isDragging = false));
  document.addEventListener("click", (event) => {
    const link = (event.target as Element).closest<HTMLElement>("[data-pick], [data-state-pick], [data-clear]");
    const grid = link?.closest("section")?.querySelector<HTMLElement>("[data-select]");
    if (!link || !grid) return;
    event.preventDefault();
    const { pick, statePick } = link.dataset;
    const isOff = link.ariaCurrent === "true";
    select(
      grid,
      isOff
        ? []
        : cellsOf(grid).filter((cell) =>
            pick === undefined ? cell.dataset["s"] === statePick : cell.dataset["k"]!.startsWith(pick),
          ),
    );
    if (statePick !== undefined && !isOff) link.ariaCurrent = "true";
  });
  document.addEventListener("keydown", (event) => {
    if (event.key !== "Escape" || document.querySelector("dialog[open]") !== null) return;
    for (const grid of document.querySelectorAll<HTMLElement>("[data-select]")) select(grid, []);
  });
}

export function showSelections(): void {
  for (const grid of document.querySelectorAll<HTMLElement>("[data-select]")) {
    const keys = selected.get(grid.id);
    if (keys !== undefined)
      select(
        grid,
        cellsOf(grid).filter((cell) => keys.has(cell.dataset["k"]!)),
      );
  }
}

function maySelect(grid: HTMLElement): boolean {
  return grid.dataset["select"] !== undefined;
}

function anchorOf(grid: HTMLElement): HTMLElement | undefined {
  const key = anchors.get(grid.id);
  return key === undefined ? undefined : cellsOf(grid).find((cell) => cell.dataset["k"] === key);
}

function selectRange(grid: HTMLElement, from: HTMLElement, to: HTMLElement): void {
  const cells = cellsOf(grid);
  const [first, last] = [cells.indexOf(from), cells.indexOf(to)].toSorted((a, b) => a - b) as [number, number];
  select(grid, cells.slice(first, last + 1));
}

function select(grid: HTMLElement, cells: readonly HTMLElement[]): void {
  const all = cellsOf(grid);
  const chosen = new Set(cells);
  selected.set(grid.id, new Set(cells.map((cell) => cell.dataset["k"]!)));
  for (const cell of all) cell.ariaSelected = String(chosen.has(cell));
  const section = grid.closest("section")!;
  for (const link of section.querySelectorAll<HTMLElement>("[data-state-pick]")) link.ariaCurrent = null;
  const bar = section.querySelector<HTMLFormElement>("form[data-act]");
  if (bar !== null) showBar(bar, grid, all, cells);
}

function showBar(
  bar: HTMLFormElement,
  grid: HTMLElement,
  all: readonly HTMLElement[],
  cells: readonly HTMLElement[],
): void {
  const unit = bar.dataset["unit"] ?? "partition";
  const count = cells.length;
  const toDo = cells.filter((cell) => ![...LIVE, "ok"].includes(cell.dataset["s"]!)).length;
  const toRerun = cells.filter((cell) => !LIVE.includes(cell.dataset["s"]!)).length;
  const text = rangesOf(all, cells);
  bar.classList.toggle("on", count > 0);
  bar.querySelector("[data-act-n]")!.textContent =
    count === 0 ? "Nothing selected" : `${count} ${unit}${count === 1 ? "" : "s"} selected`;
  bar.querySelector<HTMLInputElement>("input[name=keys]")!.value = text;
  bar.querySelector("[data-act-cli]")!.textContent = `orca backfill ${grid.dataset["select"]} ${text}`.trimEnd();
  const buttonNamed = (name: string) => bar.querySelector<HTMLButtonElement>(`button[data-act-${name}]`);
  label(buttonNamed("backfill"), toDo === 0 ? "Nothing to backfill" : `Backfill ${toDo} not done`, toDo === 0);
  label(
    buttonNamed("rerun"),
    toRerun === 0 ? "Nothing to rerun" : `Rerun ${toRerun === count ? "all " : ""}${toRerun}`,
    toRerun === 0,
  );
}

/** What is typed is what is acted on, whatever is selected. */
function takeTyped(bar: HTMLFormElement, text: string): void {
  const isNone = text === "";
  bar.querySelector("[data-act-n]")!.textContent = isNone ? "Nothing selected" : "As typed";
  label(bar.querySelector("button[data-act-backfill]"), "Backfill", isNone);
  label(bar.querySelector("button[data-act-rerun]"), "Rerun", isNone);
  const command = bar.querySelector("[data-act-cli]")!;
  command.textContent = `${command.textContent.split(" ").slice(0, 3).join(" ")} ${text}`.trimEnd();
}

function label(button: HTMLButtonElement | null, text: string, isDisabled: boolean): void {
  if (button === null) return;
  button.textContent = text;
  button.disabled = isDisabled;
}

/** `2024-01-01..2024-01-05,2024-02-01`: those that are beside each other in the grid as ranges. */
function rangesOf(all: readonly HTMLElement[], cells: readonly HTMLElement[]): string {
  const ranges: [first: number, last: number][] = [];
  for (const at of cells.map((cell) => all.indexOf(cell))) {
    const last = ranges.at(-1);
    if (last !== undefined && last[1] === at - 1) last[1] = at;
    else ranges.push([at, at]);
  }
  const keyAt = (at: number) => all[at]?.dataset["k"] ?? "";
  return ranges.map(([a, b]) => (a === b ? keyAt(a) : `${keyAt(a)}..${keyAt(b)}`)).join(",");
}
