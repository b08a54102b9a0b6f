/** Source maps: https://tc39.es/ecma426/. A built file's has the user's code alone, which is a small part of what esbuild maps. */

/** What of a source map is used here. */
export interface Mappings {
  readonly sources: readonly string[];
  readonly mappings: string;
}

/**
 * The part of a source map that is about some sources, for a text that begins `linesBefore` lines later.
 *
 * @param renamed what a source is called in the new map; undefined leaves it out.
 */
export function selectSources(
  map: Mappings,
  renamed: (source: string) => string | undefined,
  linesBefore: number,
): Mappings {
  const sources: string[] = [];
  const indexes = map.sources.map((source) => {
    const name = renamed(source);
    return name === undefined ? -1 : sources.push(name) - 1;
  });

  const before = { source: 0, line: 0, column: 0 }; // positions are relative to those before, in both maps
  const written = { source: 0, line: 0, column: 0 };
  let isOpen = false;
  const lines = map.mappings.split(";").map((line) => {
    let column = 0;
    let writtenColumn = 0;
    const segments: string[] = [];
    for (const segment of line === "" ? [] : line.split(",")) {
      const [columnBy = 0, sourceBy, lineBy = 0, sourceColumnBy = 0] = decode(segment);
      column += columnBy;
      before.source += sourceBy ?? 0;
      before.line += lineBy;
      before.column += sourceColumnBy;
      const source = sourceBy === undefined ? -1 : indexes[before.source]!;
      if (source === -1 && !isOpen) continue;
      const fields = [column - writtenColumn];
      if (source !== -1) {
        fields.push(source - written.source, before.line - written.line, before.column - written.column);
        Object.assign(written, before, { source });
      }
      isOpen = source !== -1; // else a segment without a source ends what went before it
      segments.push(encode(fields));
      writtenColumn = column;
    }
    return segments.join(",");
  });
  const last = lines.findLastIndex((line) => line !== "");
  return { sources, mappings: ";".repeat(linesBefore) + lines.slice(0, last + 1).join(";") };
}

const DIGITS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
const VALUES = new Uint8Array(128);
for (let i = 0; i < DIGITS.length; i++) VALUES[DIGITS.charCodeAt(i)] = i;

/** Base64 VLQ: five bits a digit, lowest first, a sixth where more follow; the lowest bit of all is the sign. */
function decode(segment: string): number[] {
  const fields: number[] = [];
  let bits = 0;
  let shift = 0;
  for (let i = 0; i < segment.length; i++) {
    const digit = VALUES[segment.charCodeAt(i)]!;
    bits |= (digit & 31) << shift;
    shift += 5;
    if (digit & 32) continue;
    fields.push(bits & 1 ? -(bits >>> 1) : bits >>> 1);
    bits = 0;
    shift = 0;
  }
  return fields;
}

function encode(fields: readonly number[]): string {
  let text = "";
  for (const field of fields) {
    let bits = field < 0 ? (-field << 1) | 1 : field << 1;
    do {
      const digit = bits & 31;
      bits >>>= 5;
      text += DIGITS[bits > 0 ? digit | 32 : digit];
    } while (bits > 0);
  }
  return text;
}
