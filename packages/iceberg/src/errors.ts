/** Every error of this package: what each code means. */
export const ICEBERG_ERRORS = {
  unsupported: "a table needs a feature of the format that this package lacks",
  "invalid-metadata": "metadata of a table, a schema or a partition spec isn't as the specification has it",
  "invalid-manifest": "a manifest or a manifest list can't be read",
  "invalid-value": "a value isn't of its column's type",
  "invalid-change": "a change of a table, a schema or a partition spec isn't allowed",
  "invalid-predicate": "a filter doesn't fit its table's schema",
  "commit-conflict": "a table isn't as a commit requires it to be: others changed it meanwhile",
  "commit-unknown": "whether a commit was applied can't be found out",
  "invalid-name": "a text can't be the name of a table or a namespace",
  "table-missing": "there is no such table, or not any more",
  "table-exists": "there is such a table already",
  "namespace-missing": "there is no such namespace",
  "namespace-exists": "there is such a namespace already",
  "read-only": "a table or catalog that is only read was to be changed",
  "snapshot-missing": "there is no such snapshot, branch or tag, or not any more",
  "file-missing": "a file of a table isn't there any more",
  "invalid-file": "a data file is corrupt, cut off or of another kind than is said",
  "invalid-rows": "rows don't fit the table's columns",
  "query-failed": "DuckDB can't run a query",
  "catalog-failed": "a catalog can't be reached, or refuses",
} as const;

/** What can go wrong in this package; match on the code, never on the message. */
export type IcebergErrorCode = keyof typeof ICEBERG_ERRORS;

/** An error of this package. Its message is a sentence for a person. */
export class IcebergError extends Error {
  override readonly name = "IcebergError";
  readonly code: IcebergErrorCode;

  constructor(code: IcebergErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}
