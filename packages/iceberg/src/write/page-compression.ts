/** The compression of pages that aren't written by DuckDB. */
import zlib from "node:zlib";
import type { ParquetWriteOptions } from "hyparquet-writer";
import type { Compression } from "./write-settings.ts";

/** What Parquet calls a codec. LZ4, which Node lacks, becomes Snappy: both are for speed. So does Zstandard, which older ones than Node 22.15 lack. */
export const CODECS: Readonly<Record<Compression, NonNullable<ParquetWriteOptions["codec"]>>> = {
  zstd: "zstdCompressSync" in zlib ? "ZSTD" : "SNAPPY",
  snappy: "SNAPPY",
  gzip: "GZIP",
  lz4: "SNAPPY",
  brotli: "BROTLI",
  uncompressed: "UNCOMPRESSED",
};

/** The highest quality, which is Node's default, takes thirty times as long for a tenth less. */
const BROTLI_QUALITY = 5;

/** Node's own; the library has Snappy. */
export const COMPRESSORS: NonNullable<ParquetWriteOptions["compressors"]> = {
  ZSTD: (bytes) => zlib.zstdCompressSync(bytes),
  GZIP: (bytes) => zlib.gzipSync(bytes),
  BROTLI: (bytes) =>
    zlib.brotliCompressSync(bytes, { params: { [zlib.constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY } }),
};
