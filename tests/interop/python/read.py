"""What PyIceberg reads of tables.

Takes on its input a JSON list of `{"metadata": PATH, "where"?: FILTER, "snapshot"?: ID, "ref"?: NAME, "columns"?: [NAME], "files"?: true}` and prints the list of
their rows, or of the files that may have some.
"""

import json
import sys
from functools import cache

from canonical import canonical_rows
from expressions import expression
from pyiceberg.expressions import AlwaysTrue
from pyiceberg.table import StaticTable


@cache
def table_at(metadata):
    return StaticTable.from_metadata(metadata)


def answer(request):
    table = table_at(request["metadata"])
    snapshot = request.get("snapshot")
    scan = table.scan(
        expression(request["where"]) if "where" in request else AlwaysTrue(),
        selected_fields=tuple(request.get("columns", ["*"])),
        snapshot_id=None if snapshot is None else int(snapshot),
    )
    if "ref" in request:
        scan = scan.use_ref(request["ref"])
    if request.get("files"):
        return [task.file.file_path for task in scan.plan_files()]
    return canonical_rows(scan.projection(), scan.to_arrow())


print(json.dumps([answer(request) for request in json.load(sys.stdin)]))
