/**
 * Has DuckDB's package give texts whole: its decoder takes a byte order mark (U+FEFF) at the beginning of a text for no part of it. Its vectors look the decoder up
 * at each text, so another can be put in its place.
 */
export async function readTextsWhole(): Promise<void> {
  const { default: accessors } = await import("@duckdb/node-api/lib/vectors/dataAccessors.js");
  Object.assign(accessors, { textDecoder: new TextDecoder("utf-8", { ignoreBOM: true }) });
}
