"""A table with a history: appends, copy-on-write deletes and overwrites, partitions replaced, branches and tags.

    python write_history.py WAREHOUSE

Prints `{"metadata", "rows", "snapshots": [{"id", "rows"}], "refs": {NAME: ROWS}}`.
"""

import json
import sys

from canonical import arrow_table
from pyiceberg.schema import Schema
from pyiceberg.transforms import IdentityTransform
from pyiceberg.types import IntegerType, LongType, NestedField, StringType
from warehouse import open_warehouse, rows_of, with_snapshots

catalog = open_warehouse(sys.argv[1])
table = catalog.create_table(
    ("lake", "history"),
    Schema(
        NestedField(1, "id", IntegerType(), required=False),
        NestedField(2, "town", StringType(), required=False),
        NestedField(3, "n", LongType(), required=False),
    ),
)


def rows(numbers, **changed):
    return arrow_table(
        table.schema(),
        [{"id": n, "town": None if n % 4 == 3 else f"t{n % 4}", "n": str(n * 2**40), **changed} for n in numbers],
    )


with table.update_spec() as spec:
    spec.add_field("town", IdentityTransform())
table.append(rows(range(20)))
table.manage_snapshots().create_tag(table.current_snapshot().snapshot_id, "first").commit()
table.delete("id < 3 or n = 5497558138880")
table.overwrite(rows(range(100, 104)), overwrite_filter="town = 't1'")
table.manage_snapshots().create_branch(table.current_snapshot().snapshot_id, "audit").commit()
table.append(rows(range(200, 203)), branch="audit")
table.dynamic_partition_overwrite(rows([300], town="t2"))
table.delete("town is null")
table.overwrite(rows([400, 401, 402, 403]))
table.append(rows([500]))

history = with_snapshots(table)
history["refs"] = {name: rows_of(table, snapshot_id=ref.snapshot_id) for name, ref in table.refs().items()}
print(json.dumps(history))
