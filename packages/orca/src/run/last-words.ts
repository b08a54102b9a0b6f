/** What a process wrote to standard error before it crashed: why and where, if its runtime or a library says so. */

/** Kept of what is written, in characters: a dump of Node's has a few thousand. */
const KEPT_MAX = 16_384;
const FRAMES_MAX = 5;

/** Lines that say why a process ends, of V8, Node, C++ and C; the first of them counts. */
const REASONS = [
  /^FATAL ERROR: (.+)$/m,
  /^# Fatal error in .*\n#\s*(.+)$/m,
  /^\s*what\(\): +(.+)$/m,
  /^(terminate called .+)$/m,
  /^(.*Assertion .*failed.*)$/m,
];
/** Frames of Node's traces: ` 1: 0x931db0 node::Abort() [node]`, ` 2: load (file:///lake:747:46)`. */
const NATIVE_FRAME = /^ *\d+: 0x[0-9a-f]+ +([^[\s].*?) *\[[^\]]*\]$/gm;
const JAVASCRIPT_FRAME = /^ *\d+: (?!0x)(.+:\d+:\d+\)?)$/gm;

export class LastWords {
  #text = "";

  add(text: string): void {
    this.#text = (this.#text + text).slice(-KEPT_MAX);
  }

  /**
   * The reason and where, as far as that was written; undefined if nothing tells.
   *
   * @param placeOf finds the place in the user's code that JavaScript frames lead to: `lake.ts:12:5`.
   */
  cause(placeOf: (frames: readonly string[]) => string | undefined): string | undefined {
    const reason = REASONS.map((pattern) => pattern.exec(this.#text)?.[1]).find((found) => found !== undefined);
    const place = placeOf(this.#all(JAVASCRIPT_FRAME)) ?? this.#all(NATIVE_FRAME).slice(0, FRAMES_MAX).join(", ");
    const known = [reason ?? [], place === "" ? [] : `in ${place}`].flat();
    return known.length === 0 ? undefined : known.join(" ");
  }

  #all(frame: RegExp): readonly string[] {
    return Array.from(this.#text.matchAll(frame), ([, shown]) => shown!);
  }
}
