/** The files that a step adds to a table: looked at, before a snapshot has them. */
import {
  fileOf,
  type FileOfSpec,
  IcebergError,
  NAME_MAPPING_PROPERTY,
  nameMappingOf,
  nameMappingToJson,
  parseJson,
  parseNameMapping,
  stringifyJson,
  type Table,
} from "@orcajs/iceberg";
import type { NewFile } from "../../core/table-files.ts";
import { isWritten } from "./change-form.ts";

/** So many are looked at at once. */
const AT_ONCE = 16;

interface Abortable {
  readonly signal: AbortSignal;
}

/** @throws IcebergError `invalid-file`, `file-missing`, or `invalid-change` for a file that the table has already. */
export async function addedFiles(
  table: Table,
  given: readonly NewFile[],
  options: Abortable,
): Promise<readonly FileOfSpec[]> {
  if (given.length === 0) return [];
  if (!given.every(isWritten)) await nameColumns(table, options);
  const files: FileOfSpec[] = [];
  for (let i = 0; i < given.length; i += AT_ONCE)
    files.push(...(await Promise.all(given.slice(i, i + AT_ONCE).map((file) => described(table, file, options)))));
  await checkNew(table, files, options);
  return files;
}

async function described(table: Table, given: NewFile, options: Abortable): Promise<FileOfSpec> {
  const { files } = table.operations;
  if (!isWritten(given)) {
    const { path, partition } = typeof given === "string" ? { path: given } : given;
    return await fileOf({ metadata: table.metadata, files }, path, { partition, ...options });
  }
  const { path, sizeBytes } = given.file;
  const size = await files.sizeBytes(path, options);
  if (size === undefined) throw new IcebergError("file-missing", `there is no file ${path}`);
  if (size !== sizeBytes)
    throw new IcebergError("invalid-file", `${path} has ${size} bytes, and had ${sizeBytes} when it was written`);
  return given as FileOfSpec;
}

/** Files of other writers have no field ids: then the table says which columns their names are, to all who read it. */
async function nameColumns(table: Table, options: Abortable): Promise<void> {
  const text = table.properties[NAME_MAPPING_PROPERTY];
  const mapping = text === undefined ? [] : parseNameMapping(parseJson(text, NAME_MAPPING_PROPERTY));
  const added = nameMappingOf(table.schema).filter((field) => !mapping.some(({ id }) => id === field.id));
  if (added.length === 0) return;
  const json = nameMappingToJson([...mapping, ...added]);
  await table.setProperties({ [NAME_MAPPING_PROPERTY]: stringifyJson(json) }, options);
}

/** @throws IcebergError `invalid-change` if the table has one of the files: its rows would be there twice. */
async function checkNew(table: Table, files: readonly FileOfSpec[], options: Abortable): Promise<void> {
  const keyOf = ({ file: { path } }: FileOfSpec) => table.operations.files.localPath(path) ?? path; // also by `file:`
  const keys = new Set(files.map(keyOf));
  const known = (await table.scan().files(options)).find(({ file }) => keys.has(keyOf(file)));
  if (known === undefined) return;
  throw new IcebergError(
    "invalid-change",
    `${known.file.file.path} is in the table already, and its rows would be there twice`,
  );
}
