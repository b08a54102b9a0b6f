"""Tables whose partition specs changed between appends: fields added, removed and renamed, in versions 1 (where a removed one turns void) and 2.

    python write_partitions.py WAREHOUSE

Prints, by table, `{"metadata", "rows", "snapshots": [{"id", "rows"}]}`.
"""

import json
import sys

from canonical import arrow_table
from pyiceberg.schema import Schema
from pyiceberg.transforms import BucketTransform, DayTransform, HourTransform, IdentityTransform, MonthTransform
from pyiceberg.types import IntegerType, NestedField, StringType, TimestampType
from warehouse import open_warehouse, with_snapshots

catalog = open_warehouse(sys.argv[1])
HOUR = 3_600_000_000


def write(version):
    table = catalog.create_table(
        ("lake", f"version_{version}"),
        Schema(
            NestedField(1, "id", IntegerType(), required=False),
            NestedField(2, "at", TimestampType(), required=False),
            NestedField(3, "town", StringType(), required=False),
        ),
        properties={"format-version": str(version)},
    )
    append(table, range(0, 4))
    with table.update_spec() as spec:
        spec.add_field("at", MonthTransform(), "month")
        spec.add_field("town", IdentityTransform(), "town_part")
    append(table, range(4, 12))
    with table.update_spec() as spec:
        spec.remove_field("month")
        if version > 1:  # PyIceberg writes no partitions by a column that has a void field too
            spec.add_field("at", DayTransform(), "day")
        spec.add_field("id", BucketTransform(4), "id_bucket")
        spec.rename_field("town_part", "place")
    append(table, range(12, 24))
    with table.update_spec() as spec:
        spec.remove_field("place")
        if version > 1:
            spec.remove_field("day")
            spec.add_field("at", HourTransform(), "hour")
    with table.update_schema() as change:
        change.rename_column("town", "city")
    append(table, range(24, 30))
    table.delete("id in (1, 5, 13, 25)")
    return table


def append(table, numbers):
    """Rows of which every fifth has nulls, some before 1970."""
    name = table.schema().fields[2].name
    table.append(arrow_table(table.schema(), [
        {"id": n, "at": None if n % 5 == 4 else str((n - 10) * 17 * HOUR - 1), name: None if n % 5 == 3 else f"a/b={n % 3} %"}
        for n in numbers
    ]))


print(json.dumps({f"version {version}": with_snapshots(write(version)) for version in (1, 2)}))
