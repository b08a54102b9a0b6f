"""What PyIceberg reads of tables.

Takes on its input a JSON list of `{"metadata": PATH, "where"?: FILTER, "snapshot"?: ID, "ref"?: NAME, "columns"?: [NAME]}` and prints the list of their rows.
"""

import json
import sys

from canonical import canonical_rows
from expressions import expression
from pyiceberg.expressions import AlwaysTrue
from pyiceberg.table import StaticTable


def rows(request):
    table = StaticTable.from_metadata(request["metadata"])
    snapshot = request.get("snapshot")
    scan = table.scan(
        expression(request["where"]) if "where" in request else AlwaysTrue(),
        selected_fields=tuple(request.get("columns", ["*"])),
        snapshot_id=None if snapshot is None else int(snapshot),
    )
    if "ref" in request:
        scan = scan.use_ref(request["ref"])
    return canonical_rows(scan.projection(), scan.to_arrow())


print(json.dumps([rows(request) for request in json.load(sys.stdin)]))
