"""Tables with delete files, which PyIceberg reads and other engines write: their manifests are made by its writers, the files by hand.

    python write_deletes.py WAREHOUSE

Prints, by table, `{"metadata", "rows"}`: the rows that are left by the specification ("Scan Planning"), as PyIceberg reads no equality deletes.
"""

import json
import sys
import uuid
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
from canonical import arrow_table, canonical_rows
from pyiceberg.io.pyarrow import PyArrowFileIO, schema_to_pyarrow
from pyiceberg.manifest import (
    DataFile,
    DataFileContent,
    FileFormat,
    ManifestContent,
    ManifestEntry,
    ManifestEntryStatus,
    ManifestWriterV2,
    write_manifest_list,
)
from pyiceberg.schema import Schema
from pyiceberg.table.snapshots import Operation, Snapshot, Summary
from pyiceberg.table.update import AddSnapshotUpdate, SetSnapshotRefUpdate
from pyiceberg.transforms import IdentityTransform
from pyiceberg.typedef import Record
from pyiceberg.types import IntegerType, LongType, NestedField, StringType
from warehouse import open_warehouse

IO = PyArrowFileIO()
FILE_PATH = NestedField(2147483546, "file_path", StringType(), required=True)
POS = NestedField(2147483545, "pos", LongType(), required=True)
catalog = open_warehouse(sys.argv[1])


class DeleteManifestWriter(ManifestWriterV2):
    def content(self):
        return ManifestContent.DELETES

    @property
    def _meta(self):
        return {**super()._meta, "content": "deletes"}


def create(name, partition_by=()):
    table = catalog.create_table(
        ("lake", name),
        Schema(
            NestedField(1, "id", IntegerType(), required=False),
            NestedField(2, "town", StringType(), required=False),
            NestedField(3, "note", StringType(), required=False),
        ),
    )
    with table.update_spec() as spec:
        for column in partition_by:
            spec.add_field(column, IdentityTransform())
    return table


def append(table, rows):
    """Rows of (id, town, note); gives the paths of the files that they are in now."""
    before = set(paths(table))
    names = [f.name for f in table.schema().fields]
    table.append(arrow_table(table.schema(), [dict(zip(names, row)) for row in rows]))
    return [path for path in paths(table) if path not in before]


def paths(table):
    return table.inspect.files()["file_path"].to_pylist() if table.current_snapshot() else []


def delete_file(table, content, fields, rows, partition=(), equality_ids=None, spec_id=None):
    schema = Schema(*fields)
    path = f"{table.location()}/data/{uuid.uuid4()}-deletes.parquet"
    local = path.removeprefix("file://")
    arrow = schema_to_pyarrow(schema)
    pq.write_table(pa.Table.from_pylist([dict(zip(arrow.names, row)) for row in rows], arrow), local)
    file = DataFile.from_args(
        content=content,
        file_path=path,
        file_format=FileFormat.PARQUET,
        partition=Record(*partition),
        record_count=len(rows),
        file_size_in_bytes=Path(local).stat().st_size,
        equality_ids=equality_ids,
    )
    file.spec_id = table.spec().spec_id if spec_id is None else spec_id
    return file


def by_position(table, deletes, partition=()):
    rows = sorted(deletes)
    return delete_file(table, DataFileContent.POSITION_DELETES, (FILE_PATH, POS), rows, partition)


def by_equality(table, columns, rows, partition=(), spec_id=None):
    fields = [table.schema().find_field(name) for name in columns]
    ids = [f.field_id for f in fields]
    return delete_file(table, DataFileContent.EQUALITY_DELETES, fields, rows, partition, ids, spec_id)


def commit(table, files):
    """A snapshot that adds delete files."""
    parent = table.current_snapshot()
    snapshot_id = table.metadata.new_snapshot_id()
    folder = f"{table.location()}/metadata"
    manifests = []
    for spec_id in sorted({file.spec_id for file in files}):
        writer = DeleteManifestWriter(
            table.specs()[spec_id], table.schema(), IO.new_output(f"{folder}/{uuid.uuid4()}.avro"), snapshot_id, "deflate"
        )
        with writer:
            for file in (f for f in files if f.spec_id == spec_id):
                writer.add(ManifestEntry.from_args(
                    status=ManifestEntryStatus.ADDED, snapshot_id=snapshot_id, sequence_number=None, data_file=file
                ))
        manifests.append(writer.to_manifest_file())
    manifest_list = f"{folder}/snap-{snapshot_id}-{uuid.uuid4()}.avro"
    number = table.metadata.next_sequence_number()
    with write_manifest_list(
        2, IO.new_output(manifest_list), snapshot_id, parent.snapshot_id, number, "deflate"
    ) as writer_of_list:
        writer_of_list.add_manifests([*parent.manifests(IO), *manifests])
    with table.transaction() as transaction:
        transaction._apply((
            AddSnapshotUpdate(snapshot=Snapshot(
                snapshot_id=snapshot_id,
                parent_snapshot_id=parent.snapshot_id,
                sequence_number=number,
                timestamp_ms=max(table.metadata.last_updated_ms, parent.timestamp_ms) + 1,
                manifest_list=manifest_list,
                summary=Summary(Operation.DELETE),
                schema_id=table.schema().schema_id,
            )),
            SetSnapshotRefUpdate(ref_name="main", type="branch", snapshot_id=snapshot_id),
        ))


def left(table, rows):
    arrow = arrow_table(table.schema(), [dict(zip([f.name for f in table.schema().fields], row)) for row in rows])
    return {"metadata": table.metadata_location, "rows": canonical_rows(table.schema(), arrow)}


def positions():
    """Two delete files for one data file, one for two; later rows stay."""
    table = create("positions")
    [one] = append(table, [(n, "a", None) for n in range(10)])
    [two] = append(table, [(n, "b", None) for n in range(10, 15)])
    commit(table, [by_position(table, [(one, 0), (one, 9), (two, 1)])])
    commit(table, [by_position(table, [(one, 5), (one, 9)])])
    append(table, [(0, "c", None)])
    kept = [(n, "a", None) for n in range(10) if n not in (0, 5, 9)]
    return left(table, [*kept, *[(n, "b", None) for n in (10, 12, 13, 14)], (0, "c", None)])


def positions_in_partitions():
    table = create("positions_in_partitions", ["town"])
    append(table, [(n, "ab"[n % 2], None) for n in range(6)])
    a, b = (next(p for p in paths(table) if f"town={town}" in p) for town in "ab")
    commit(table, [by_position(table, [(a, 0)], ["a"]), by_position(table, [(b, 1), (b, 2)], ["b"])])
    return left(table, [(2, "a", None), (4, "a", None), (1, "b", None)])


def equality():
    """Nulls equal nulls; only what is older is deleted; two columns together."""
    table = create("equality")
    append(table, [(1, "a", "x"), (2, "b", "x"), (None, "c", "x"), (3, None, "x"), (4, "d", "x"), (5, "d", "x")])
    commit(table, [by_equality(table, ["id"], [[1], [None], [99]])])
    append(table, [(1, "a", "again"), (None, "c", "again"), (4, "d", "later"), (6, None, "later"), (7, None, "later")])
    commit(table, [by_equality(table, ["town", "id"], [["d", 4], [None, 6], ["b", 3], ["a", None]])])
    append(table, [(4, "d", "last")])
    return left(table, [
        (2, "b", "x"), (3, None, "x"), (5, "d", "x"),
        (1, "a", "again"), (None, "c", "again"), (7, None, "later"), (4, "d", "last"),
    ])


def equality_in_partitions():
    """A partition's equality deletes leave the others alone."""
    table = create("equality_in_partitions", ["town"])
    append(table, [(1, "a", None), (1, "b", None), (2, "b", None), (1, None, None)])
    commit(table, [by_equality(table, ["id"], [[1]], ["b"]), by_equality(table, ["id"], [[1]], [None])])
    return left(table, [(1, "a", None), (2, "b", None)])


def equality_everywhere():
    """Equality deletes of an unpartitioned spec are for all partitions."""
    table = create("equality_everywhere")
    append(table, [(1, "a", None), (2, "a", None)])
    with table.update_spec() as spec:
        spec.add_field("town", IdentityTransform())
    append(table, [(1, "a", None), (1, "b", None), (3, None, None)])
    commit(table, [by_equality(table, ["id"], [[1]], spec_id=0), by_equality(table, ["note"], [[None]], ["b"])])
    return left(table, [(2, "a", None), (3, None, None)])


def equality_of_evolved():
    """By a column that was renamed since, and one that older files lack."""
    table = create("equality_of_evolved")
    append(table, [(1, "a", None), (2, "a", None), (3, "b", None)])
    before = by_equality(table, ["town", "id"], [["a", 2]])
    with table.update_schema() as change:
        change.rename_column("town", "city")
        change.add_column("late", StringType())
    commit(table, [before, by_equality(table, ["city", "late"], [["b", None], ["a", "x"]])])
    return left(table, [(1, "a", None, None)])


def both():
    """Positions and equality in one snapshot, on rows of a snapshot before."""
    table = create("both")
    [one] = append(table, [(n, "a", None) for n in range(5)])
    commit(table, [by_position(table, [(one, 0)]), by_equality(table, ["id"], [[1], [2]])])
    return left(table, [(3, "a", None), (4, "a", None)])


TABLES = (
    positions,
    positions_in_partitions,
    equality,
    equality_in_partitions,
    equality_everywhere,
    equality_of_evolved,
    both,
)
print(json.dumps({write.__name__: write() for write in TABLES}))
