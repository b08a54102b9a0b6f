/** How data files are written, by the table's properties and what a caller wants instead. */
import { IcebergError } from "../errors.ts";
import { countProperty } from "../metadata/count-property.ts";
import type { TableMetadata } from "../metadata/table-metadata.ts";

const COMPRESSIONS = ["zstd", "snappy", "gzip", "lz4", "brotli", "uncompressed"] as const;
export type Compression = (typeof COMPRESSIONS)[number];

export interface WriteSettings {
  /** About how many bytes a file is to have; files end where a row group does. Default: `write.target-file-size-bytes`, or 512 MiB. */
  readonly targetFileSizeBytes: number;
  /** How many rows a row group has; it is rounded up to a multiple of 2,048. Default: 122,880. */
  readonly rowGroupRows: number;
  /** Default: `write.parquet.compression-codec`, or `zstd`. */
  readonly compression: Compression;
  /** The URI of the folder that data files are in. */
  readonly dataFolder: string;
}

/** What a caller wants instead of what the table says. */
export type WantedSettings = {
  readonly [K in Exclude<keyof WriteSettings, "dataFolder">]?: WriteSettings[K] | undefined;
};

const TARGET_FILE_SIZE_BYTES = 512 * 1024 * 1024;
const ROW_GROUP_ROWS = 122_880;

/**
 * The settings of a write.
 * @throws IcebergError `unsupported` on a compression that Parquet files aren't written with; `invalid-metadata` on a property that is no number.
 */
export function writeSettings(
  { location, properties }: Pick<TableMetadata, "location" | "properties">,
  wanted: WantedSettings = {},
): WriteSettings {
  return {
    targetFileSizeBytes:
      wanted.targetFileSizeBytes ??
      countProperty(properties, "write.target-file-size-bytes", TARGET_FILE_SIZE_BYTES, 1),
    rowGroupRows: wanted.rowGroupRows ?? ROW_GROUP_ROWS,
    compression: wanted.compression ?? compressionOf(properties["write.parquet.compression-codec"]),
    dataFolder: (properties["write.data.path"] ?? `${location}/data`).replace(/\/+$/, ""),
  };
}

function compressionOf(name: string | undefined): Compression {
  const found = name === undefined ? "zstd" : COMPRESSIONS.find((c) => c === name.toLowerCase());
  if (found === undefined)
    throw new IcebergError(
      "unsupported",
      `the table's write.parquet.compression-codec is ${name}, which can't be written: there are ${COMPRESSIONS.join(", ")}`,
    );
  return found;
}
