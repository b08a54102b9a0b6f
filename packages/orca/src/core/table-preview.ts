/** The first rows of a dataset, as texts: what pages show of it. */
export interface TablePreview {
  readonly dataset: string;
  /** The snapshot that was read; null of a table that has none. */
  readonly snapshot: string | null;
  /** How many rows, files and bytes it has, if its summary says so. */
  readonly rowCount: number | null;
  readonly fileCount: number | null;
  readonly bytes: number | null;
  readonly columns: readonly PreviewColumn[];
  /** How many columns there are: of many the first are read. */
  readonly columnCount: number;
  /** A text for each column, null where there is no value. Long ones are cut. */
  readonly rows: readonly (readonly (string | null)[])[];
}

interface PreviewColumn {
  readonly name: string;
  /** As Iceberg writes it: `decimal(10, 2)`. */
  readonly type: string;
  readonly isNullable: boolean;
  /** Whether its values are numbers, which stand at the right. */
  readonly isNumber: boolean;
}
