/** Where the footer of a Parquet file is ("File Format"): before its length and a mark, at the file's end. */

/** One request gets the footer of most files: they are of a few KiB. */
const FIRST_READ_BYTES = 64 * 1024;
const END_BYTES = 8;
const MARK = "PAR1";

/**
 * The footer of a file, with what is behind it.
 *
 * @param readEnd gives so many bytes at the file's end.
 * @param fail makes the error for what isn't a whole Parquet file.
 */
export async function footerBytes(
  sizeBytes: number,
  readEnd: (length: number) => Promise<Uint8Array>,
  fail: (why: string) => Error,
): Promise<ArrayBuffer> {
  if (sizeBytes < END_BYTES + MARK.length) throw fail(`it has ${sizeBytes} bytes`);
  let end = await readEnd(Math.min(FIRST_READ_BYTES, sizeBytes));
  const length = new DataView(end.buffer, end.byteOffset).getUint32(end.length - END_BYTES, true) + END_BYTES;
  if (String.fromCharCode(...end.subarray(-MARK.length)) !== MARK) throw fail("it doesn't end as one");
  if (length > sizeBytes) throw fail("its footer would begin before it");
  if (length > end.length) end = await readEnd(length);
  return Uint8Array.from(end.subarray(-length)).buffer;
}
