/** What other implementations read of tables that were written here. */
import {
  type Field,
  type JsonObject,
  openTable,
  type Predicate,
  type SnapshotChoice,
  type Table,
} from "@orcajs/iceberg";
import { filterJson } from "./filters.ts";
import { asByIcebird, readByIcebird } from "./icebird.ts";
import { isJavaReady, java } from "./java.ts";
import { python } from "./python.ts";
import { expectRows, readHere } from "./tables-here.ts";

/** What is read of a table: all that is current, unless it says what. */
export interface ReadRequest {
  /** The URI of the metadata file. */
  readonly metadata: string;
  readonly snapshot?: bigint;
  readonly ref?: string;
  readonly where?: Predicate;
  readonly columns?: readonly string[];
}

export interface Reader {
  /** The rows of many requests at once: to start a program takes longer than to read. */
  read(requests: readonly ReadRequest[]): Promise<readonly (readonly JsonObject[])[]>;
  /** Whether it reads a branch with the schema of its snapshot, and not with the table's. */
  readonly isBranchOfSnapshot?: true;
  /** What it gives of a row, where that isn't all. */
  given?(fields: readonly Field[], row: JsonObject): JsonObject;
}

/** By name; Java's is there where Maven is. Icebird reads no filters. */
export const READERS: Readonly<Record<string, Reader>> = {
  PyIceberg: {
    read: (requests) => Promise.resolve(python("read.py", [], requests.map(requestJson)) as unknown as JsonObject[][]),
    isBranchOfSnapshot: true,
  },
  ...(isJavaReady() && {
    Java: {
      read: (requests: readonly ReadRequest[]) =>
        Promise.resolve(java("read", requests.map(requestJson)) as unknown as JsonObject[][]),
    },
  }),
  icebird: {
    read: async (requests) => {
      const rows: (readonly JsonObject[])[] = [];
      for (const request of requests) rows.push(await readByIcebird(request.metadata, choiceOf(request)));
      return rows;
    },
    given: asByIcebird,
  },
};

/** A request for a table as it is, for each of its branches and tags, and for each of its snapshots. */
export function requestsOf({ state: { metadata, metadataLocation } }: Table): readonly ReadRequest[] {
  return [
    {},
    ...Object.keys(metadata.refs).map((ref) => ({ ref })),
    ...metadata.snapshots.map((s) => ({ snapshot: s["snapshot-id"] })),
  ].map((what) => ({ metadata: metadataLocation, ...what }));
}

/** Fails unless a reader's answer to a request is what is read here. */
export async function expectAsHere(
  { given, isBranchOfSnapshot }: Reader,
  request: ReadRequest,
  rows: readonly JsonObject[],
): Promise<void> {
  const { metadata, where, columns } = request;
  const snapshot = isBranchOfSnapshot ? await choiceOfSnapshot(request) : choiceOf(request);
  const here = await readHere(metadata, { snapshot, where, columns });
  const { fields } = here.schema;
  expectRows(fields, rows, given === undefined ? here.rows : here.rows.map((row) => given(fields, row)));
}

function choiceOf({ snapshot, ref }: ReadRequest): SnapshotChoice | undefined {
  if (snapshot !== undefined) return { id: snapshot };
  return ref === undefined ? undefined : { ref };
}

async function choiceOfSnapshot(request: ReadRequest): Promise<SnapshotChoice | undefined> {
  if (request.ref === undefined) return choiceOf(request);
  await using table = await openTable(request.metadata);
  return { id: table.refs.all()[request.ref]!["snapshot-id"] };
}

function requestJson({ where, ...request }: ReadRequest): unknown {
  return { ...request, ...(where && { where: filterJson(where) }) };
}
