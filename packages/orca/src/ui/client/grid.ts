/**
 * Grids of cells: one tab stop, arrows move, and the readout says what is where. A grid has `data-grid` and cells `.c[data-k]`; one with `data-jump`
 * is in the order of time, so many cells a row, and one with `data-rows` has rows of its own.
 *
 * Enter opens a cell: what it stands for is told by the event `orca:open`, and where nobody takes that, the cell's run is gone to.
 */
import { cellsOf } from "./cells.ts";
import { readOut } from "./readout.ts";
import { selectByClick, selectByKey, selectByMove, selectTo, showSelections } from "./selection.ts";

export function moveInGrids(): void {
  document.addEventListener("keydown", onKey);
  document.addEventListener("focusin", (event) => onCell(event, readOut));
  document.addEventListener("pointerover", (event) =>
    onCell(event, (grid, cell) => {
      readOut(grid, cell);
      if (event.buttons > 0) selectByMove(grid, cell);
    }),
  );
  document.addEventListener("pointerdown", (event) =>
    onCell(event, (grid, cell) => {
      if (event.button !== 0) return;
      if (selectByClick(grid, cell, event.shiftKey)) event.preventDefault();
      focusCell(grid, cell);
    }),
  );
  document.addEventListener("click", (event) =>
    onCell(event, (grid, cell) => {
      if (grid.dataset["select"] === undefined && (event.target as Element).closest("a") === null) openCell(cell);
    }),
  );
  showGrids();
}

/** As they were left, of a live page that has replaced them; and where one is wider than the screen, what is marked comes into view. */
export function showGrids(): void {
  showSelections();
  for (const grid of document.querySelectorAll<HTMLElement>("[data-grid]")) {
    const [cell, box] = [grid.querySelector<HTMLElement>(".c[tabindex='0']"), grid.closest(".scroll")];
    if (cell !== null && box !== null && box.scrollWidth > box.clientWidth && box.scrollLeft === 0)
      box.scrollLeft = cell.offsetLeft - box.clientWidth / 2;
  }
}

/** The grid that an event is in, and its cell. */
function onCell(event: Event, act: (grid: HTMLElement, cell: HTMLElement) => void): void {
  const cell = (event.target as Element | null)?.closest?.<HTMLElement>(".c[data-k]");
  const grid = cell?.closest<HTMLElement>("[data-grid]");
  if (cell && grid) act(grid, cell);
}

function onKey(event: KeyboardEvent): void {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  onCell(event, (grid, cell) => {
    if (event.key === "Enter") {
      if ((event.target as Element).closest("a") !== null) return; // it is followed
      openCell(cell);
    } else if (event.key === " ") selectByKey(grid, cell);
    else if (/^(Arrow|Page|Home|End)/.test(event.key)) {
      const next = grid.dataset["rows"] === undefined ? nextInTime(grid, cell, event.key) : nextInRows(cell, event.key);
      if (next !== undefined) {
        selectTo(grid, cell, next, event.shiftKey);
        focusCell(grid, next);
        next.dispatchEvent(new CustomEvent("orca:moved", { bubbles: true }));
      }
    } else return;
    event.preventDefault();
  });
}

const MONTH = "2024-01".length;

function nextInTime(grid: HTMLElement, cell: HTMLElement, key: string): HTMLElement | undefined {
  const cells = cellsOf(grid);
  const at = cells.indexOf(cell);
  const jump = Number(grid.dataset["jump"]);
  const page = jump === 7 ? 30 : jump;
  const period = cell.dataset["k"]!.slice(0, jump === 7 ? MONTH : 4);
  const isNear = (other: HTMLElement) => other.dataset["k"]!.startsWith(period);
  switch (key) {
    case "ArrowLeft":
      return cells[at - 1];
    case "ArrowRight":
      return cells[at + 1];
    case "ArrowUp":
      return cells[at - jump];
    case "ArrowDown":
      return cells[at + jump];
    case "PageUp":
      return cells[at - page];
    case "PageDown":
      return cells[at + page];
    case "Home":
      return cells.find(isNear);
    default:
      return cells.findLast(isNear);
  }
}

/** Up and down keep their column where a row has one cell for all. */
let column = 0;

function nextInRows(cell: HTMLElement, key: string): HTMLElement | undefined {
  const row = cell.closest("tr")!;
  const own = cellsOf(row);
  const at = own.indexOf(cell);
  if (own.length > 1) column = at;
  const rowsTo = key === "ArrowDown" || key === "PageDown" ? row.nextElementSibling : row.previousElementSibling;
  switch (key) {
    case "ArrowLeft":
      return own[at - 1];
    case "ArrowRight":
      return own[at + 1];
    case "Home":
      return own[0];
    case "End":
      return own.at(-1);
    default: {
      const there = rowsTo === null ? [] : cellsOf(rowsTo);
      return there[Math.min(there.length - 1, column)];
    }
  }
}

function focusCell(grid: HTMLElement, cell: HTMLElement): void {
  for (const other of grid.querySelectorAll<HTMLElement>(".c[tabindex='0']")) other.tabIndex = -1;
  cell.tabIndex = 0;
  cell.focus();
}

function openCell(cell: HTMLElement): void {
  const isOpen = !cell.dispatchEvent(new CustomEvent("orca:open", { bubbles: true, cancelable: true }));
  if (isOpen) return;
  const link = cell.querySelector("a");
  if (link !== null) link.click();
  else if (cell.dataset["run"] !== undefined) location.href = `/runs/${cell.dataset["run"]}`;
}
