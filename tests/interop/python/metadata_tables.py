"""What PyIceberg writes and reads of manifests, manifest lists and table metadata.

    python tests/interop/python/metadata_tables.py write tests/interop/fixtures    # made the committed fixtures, with PyIceberg 0.12.0
    python tests/interop/python/metadata_tables.py read FOLDER                     # prints what PyIceberg reads there

A folder has, for format versions 1 and 2, vN.metadata.json, vN.manifest.avro and vN.list.avro;
`write` puts beside them vN.read.json: what `read` prints of them.
"""

import json
import sys
import uuid
from decimal import Decimal
from pathlib import Path

from pyiceberg.conversions import to_bytes
from pyiceberg.io.fsspec import FsspecFileIO
from pyiceberg.manifest import (
    DataFile,
    DataFileContent,
    FileFormat,
    ManifestEntry,
    ManifestEntryStatus,
    read_manifest_list,
    write_manifest,
    write_manifest_list,
)
from pyiceberg.partitioning import PartitionField, PartitionSpec
from pyiceberg.schema import Schema
from pyiceberg.table.snapshots import Operation, Snapshot, Summary
from pyiceberg.table.update import AddSnapshotUpdate, SetSnapshotRefUpdate, update_table_metadata
from pyiceberg.table.metadata import TableMetadataUtil, new_table_metadata
from pyiceberg.table.sorting import UNSORTED_SORT_ORDER
from pyiceberg.transforms import BucketTransform, DayTransform, IdentityTransform, TruncateTransform
from pyiceberg.typedef import Record
from pyiceberg.types import (
    BinaryType,
    BooleanType,
    DateType,
    DecimalType,
    DoubleType,
    FixedType,
    FloatType,
    IntegerType,
    ListType,
    LongType,
    MapType,
    NestedField,
    StringType,
    StructType,
    TimestampType,
    TimestamptzType,
    TimeType,
    UUIDType,
)

IO = FsspecFileIO({})
SNAPSHOT = 3051729675574597004
PARENT = 3051729675574597003

VALUES = [
    (BooleanType(), True),
    (IntegerType(), -34),
    (LongType(), 2**62 + 1),
    (FloatType(), 1.5),
    (DoubleType(), -2.25),
    (DecimalType(20, 2), Decimal("-14.20")),
    (DateType(), 17486),
    (TimeType(), 81068000001),
    (TimestampType(), -1),
    (TimestamptzType(), 1510871468000001),
    (StringType(), "a/b \U0001f600"),
    (UUIDType(), uuid.UUID("f79c3e09-677c-4bbd-a479-3f349cb785e7")),
    (FixedType(4), b"\x00\x01\x02\xff"),
    (BinaryType(), b"\x00\xff"),
]
COLUMNS = [NestedField(i + 1, f"c{i + 1}", kind, required=False) for i, (kind, _) in enumerate(VALUES)]
SCHEMA = Schema(
    *COLUMNS,
    NestedField(15, "nested", StructType(NestedField(16, "list", ListType(17, IntegerType(), element_required=True), required=True)), required=False),
    NestedField(18, "map", MapType(19, StringType(), 20, DoubleType(), value_required=False), required=False, doc="a map"),
)
SPEC = PartitionSpec(
    *[PartitionField(i + 1, 1000 + i, IdentityTransform(), f"p{i + 1}") for i in range(len(VALUES))],
    PartitionField(11, 1014, BucketTransform(16), "p.bucket"),
    PartitionField(6, 1015, TruncateTransform(50), "p_trunc"),
    PartitionField(9, 1016, DayTransform(), "p_day"),
)
FULL = Record(*[v for _, v in VALUES], 9, Decimal("-14.50"), -1)
EMPTY = Record(*[None] * len(SPEC.fields))


def file(name, partition):
    bounds = {i + 1: to_bytes(kind, value) for i, (kind, value) in enumerate(VALUES)}
    return DataFile.from_args(
        content=DataFileContent.DATA,
        file_path=f"file:///table/{name}.parquet",
        file_format=FileFormat.PARQUET,
        partition=partition,
        record_count=3,
        file_size_in_bytes=2**40,
        column_sizes={1: 100, 3: 2**40},
        value_counts={1: 3, 4: 3},
        null_value_counts={1: 1, 4: 0},
        nan_value_counts={4: 2},
        lower_bounds=bounds,
        upper_bounds=bounds,
        split_offsets=[4, 2**33],
        sort_order_id=0,
        key_metadata=b"key",
        spec_id=0,
    )


def write(folder):
    for version in (1, 2):
        manifest_path, list_path = (f"{folder}/v{version}.{name}.avro" for name in ("manifest", "list"))
        with write_manifest(version, SPEC, SCHEMA, IO.new_output(manifest_path), SNAPSHOT, "deflate") as writer:
            for add, name, partition, number in (
                (writer.add, "added", FULL, None),
                (writer.existing, "existing", EMPTY, 1),
                (writer.delete, "deleted", FULL, 1),
            ):
                add(ManifestEntry.from_args(
                    status=ManifestEntryStatus.ADDED,
                    snapshot_id=PARENT,
                    sequence_number=number,
                    file_sequence_number=number,
                    data_file=file(name, partition),
                ))
        with write_manifest_list(version, IO.new_output(list_path), SNAPSHOT, PARENT, 2, "deflate") as lists:
            lists.add_manifests([writer.to_manifest_file()])
        metadata = new_table_metadata(
            SCHEMA, SPEC, UNSORTED_SORT_ORDER, "file:///table", {"format-version": str(version), "owner": "me"},
            uuid.UUID("f79c3e09-677c-4bbd-a479-3f349cb785e7"),
        )
        snapshot = Snapshot(
            snapshot_id=SNAPSHOT, parent_snapshot_id=PARENT, sequence_number=2, timestamp_ms=metadata.last_updated_ms,
            manifest_list="file:///table/list.avro", summary=Summary(Operation.APPEND), schema_id=0,
        )
        updates = (
            AddSnapshotUpdate(snapshot=snapshot),
            SetSnapshotRefUpdate(ref_name="main", type="branch", snapshot_id=SNAPSHOT),
            SetSnapshotRefUpdate(ref_name="keep", type="tag", snapshot_id=SNAPSHOT, max_ref_age_ms=1000),
        )
        metadata = update_table_metadata(metadata, updates)
        Path(f"{folder}/v{version}.metadata.json").write_text(metadata.model_dump_json(indent=1) + "\n")


def dump_value(value):
    if isinstance(value, bytes):
        return value.hex()
    if isinstance(value, bool):
        return str(value).lower()
    return None if value is None else str(value)


def hexes(bounds):
    return None if bounds is None else {str(k): v.hex() for k, v in sorted(bounds.items())}


def counts(values):
    return None if values is None else {str(k): v for k, v in sorted(values.items())}


def read(folder, version):
    metadata = TableMetadataUtil.parse_raw(Path(f"{folder}/v{version}.metadata.json").read_text())
    snapshot = metadata.snapshots[-1]
    manifests = []
    for m in read_manifest_list(IO.new_input(f"{folder}/v{version}.list.avro")):
        length = len(IO.new_input(f"{folder}/v{version}.manifest.avro"))
        m._data[0] = f"{folder}/v{version}.manifest.avro"
        manifests.append({
            "length is right": m.manifest_length == length,
            "specId": m.partition_spec_id,
            "content": int(m.content),
            "sequenceNumber": m.sequence_number,
            "minSequenceNumber": m.min_sequence_number,
            "addedSnapshotId": str(m.added_snapshot_id),
            "files": [m.added_files_count, m.existing_files_count, m.deleted_files_count],
            "rows": [m.added_rows_count, m.existing_rows_count, m.deleted_rows_count],
            "partitions": [
                [p.contains_null, *(None if b is None else b.hex() for b in (p.lower_bound, p.upper_bound))]
                for p in m.partitions
            ],
            "entries": [
                {
                    "status": int(e.status),
                    "snapshotId": str(e.snapshot_id),
                    "sequenceNumber": e.sequence_number,
                    "path": e.data_file.file_path,
                    "format": e.data_file.file_format.value.lower(),
                    "partition": [dump_value(e.data_file.partition[i]) for i in range(len(SPEC.fields))],
                    "recordCount": e.data_file.record_count,
                    "sizeBytes": e.data_file.file_size_in_bytes,
                    "columnSizes": counts(e.data_file.column_sizes),
                    "valueCounts": counts(e.data_file.value_counts),
                    "nullCounts": counts(e.data_file.null_value_counts),
                    "nanCounts": counts(e.data_file.nan_value_counts),
                    "lowerBounds": hexes(e.data_file.lower_bounds),
                    "upperBounds": hexes(e.data_file.upper_bounds),
                    "splitOffsets": e.data_file.split_offsets,
                    "sortOrderId": e.data_file.sort_order_id,
                    "keyMetadata": e.data_file.key_metadata.hex(),
                }
                for e in m.fetch_manifest_entry(IO, discard_deleted=False)
            ],
        })
    return {
        "schema": json.loads(metadata.schema().model_dump_json()),
        "spec": json.loads(metadata.spec().model_dump_json()),
        "snapshot": [str(snapshot.snapshot_id), str(snapshot.parent_snapshot_id), snapshot.manifest_list],
        "refs": {name: str(ref.snapshot_id) for name, ref in metadata.refs.items()},
        "manifests": manifests,
    }


if __name__ == "__main__":
    command, folder = sys.argv[1:]
    if command == "write":
        write(folder)
    for version in (1, 2):
        text = json.dumps(read(folder, version), indent=1)
        if command == "write":
            Path(f"{folder}/v{version}.read.json").write_text(text + "\n")
    if command == "read":
        print(json.dumps([read(folder, version) for version in (1, 2)]))
