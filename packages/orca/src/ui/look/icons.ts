/** The symbols of states, kinds and controls: each state has a silhouette of its own, so that it reads without colour. */

const CROSSED =
  '<rect x="1.2" y="1.2" width="13.6" height="13.6" rx="3" fill="currentColor" stroke="none"/><path class="k" d="M5.3 5.3l5.4 5.4M10.7 5.3l-5.4 5.4"/>';
const DASHED = '<circle cx="8" cy="8" r="6.2" stroke-dasharray="2.4 2.4"/>';
const TRIANGLE = '<path d="M8 2 15 14H1z"/><path d="M8 6.4v3.4M8 11.8v.2"/>';
const RING = '<circle cx="8" cy="8" r="6.2"/>';

const ICONS = {
  ok: '<circle cx="8" cy="8" r="7" fill="currentColor" stroke="none"/><path class="k" d="M4.9 8.3 7.1 10.5 11.3 5.7"/>',
  failed: CROSSED,
  failing: CROSSED,
  running: `${RING}<path d="M8 1.8a6.2 6.2 0 0 1 0 12.4z" fill="currentColor" stroke="none"/>`,
  queued: `${RING}<path d="M8 4.6V8l2.4 1.5"/>`,
  skipped: `${RING}<path d="M5.2 8h5.6"/>`,
  cancelled: `${RING}<path d="M3.8 12.2 12.2 3.8"/>`,
  missing: DASHED,
  none: DASHED,
  never: DASHED,
  stale: '<circle cx="8" cy="8" r="6.2" stroke-dasharray="4.2 2.3"/><path d="M5.2 8.3 7.2 10.2 10.9 6"/>',
  behind: TRIANGLE,
  warn: TRIANGLE,
  paused: `${RING}<path d="M6.4 5.6v4.8M9.6 5.6v4.8"/>`,
  search: '<circle cx="7" cy="7" r="4.6"/><path d="m10.6 10.6 3.4 3.4"/>',
  theme: '<circle cx="8" cy="8" r="5.6"/><path d="M8 2.4a5.6 5.6 0 0 1 0 11.2z" fill="currentColor"/>',
  down: '<path d="m4 6 4 4 4-4"/>',
  close: '<path d="m4 4 8 8M12 4l-8 8"/>',
  more: '<path d="M3.2 8h.1M8 8h.1M12.8 8h.1" stroke-width="2.4"/>',
  data: '<ellipse cx="8" cy="4" rx="5.4" ry="2.2"/><path d="M2.6 4v8c0 1.2 2.4 2.2 5.4 2.2s5.4-1 5.4-2.2V4M2.6 8c0 1.2 2.4 2.2 5.4 2.2s5.4-1 5.4-2.2"/>',
  flow: '<rect x="1.5" y="5.5" width="5" height="5" rx="1.2"/><rect x="10" y="1.8" width="4.6" height="4.6" rx="1.2"/><rect x="10" y="9.6" width="4.6" height="4.6" rx="1.2"/><path d="M6.5 8h1.8V4.1H10M8.3 8v3.9H10"/>',
  run: '<path d="M5 3.4v9.2L12.4 8z"/>',
  gather: '<path d="M2 3.5 7 8l-5 4.5M2 8h12"/>',
  out: '<path d="M6 3.5H3.2v9.3h9.3V10M9 3h4v4M13 3 7.6 8.4"/>',
  beat: '<path d="M1.5 8h3L6.3 3.4 9.4 12.6 11.3 8h3.2"/>',
  user: '<circle cx="8" cy="5.4" r="2.8"/><path d="M2.8 14c.4-3 2.5-4.6 5.2-4.6s4.8 1.6 5.2 4.6"/>',
} as const;

export type IconName = keyof typeof ICONS;

/** Fills of the states that aren't plain, and the tip of edges. */
const PATTERNS = [
  '<pattern id="h-queued" width="5" height="5" patternUnits="userSpaceOnUse"><rect class="hq0" width="5" height="5"/><circle class="hc1" cx="2.5" cy="2.5" r="0.9"/></pattern>',
  '<pattern id="h-skipped" width="6" height="4" patternUnits="userSpaceOnUse"><rect class="hc0" width="6" height="4"/><rect class="hc1" x="1" y="1.5" width="4" height="1"/></pattern>',
  '<pattern id="h-stale" width="4" height="4" patternUnits="userSpaceOnUse" patternTransform="rotate(45)"><rect class="hs0" width="4" height="4"/><rect class="hs1" width="1.8" height="4"/></pattern>',
  '<pattern id="h-cancelled" width="4" height="4" patternUnits="userSpaceOnUse" patternTransform="rotate(-45)"><rect class="hc0" width="4" height="4"/><rect class="hc1" width="1" height="4"/></pattern>',
  '<pattern id="h-press" width="5" height="5" patternUnits="userSpaceOnUse" patternTransform="rotate(45)"><rect class="hs0" width="5" height="5"/><rect class="hp1" width="1" height="5"/></pattern>',
  '<marker id="tip" viewBox="0 0 6 6" refX="5.4" refY="3" markerWidth="6" markerHeight="6" orient="auto-start-reverse"><path class="tip" d="M0 0 6 3 0 6z"/></marker>',
].join("");

/** The symbols of a page, as the first thing in its body. Scripts show some that the markup doesn't have yet, so that all are there. */
export const SPRITE = `<svg class="sprite" aria-hidden="true" width="0" height="0"><defs>${PATTERNS}</defs>${Object.entries(
  ICONS,
)
  .map(([name, drawing]) => `<symbol id="i-${name}" viewBox="0 0 16 16">${drawing}</symbol>`)
  .join("")}</svg>`;
