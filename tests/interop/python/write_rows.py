"""Tables of given rows.

    python write_rows.py WAREHOUSE < tables.json

Takes a JSON list of `{"name", "version", "schema", "partitionBy"?: [[COLUMN, TRANSFORM]], "appends": [ROWS]}`, rows and schema as
`canonical.py` and the specification have them, and prints a list of `{"metadata", "rows"}`.
"""

import json
import sys

from canonical import arrow_table
from pyiceberg.schema import Schema
from warehouse import described, open_warehouse

catalog = open_warehouse(sys.argv[1])


def write(request):
    table = catalog.create_table(
        ("lake", request["name"]),
        Schema.model_validate(request["schema"]),
        properties={"format-version": str(request["version"])},
    )
    with table.update_spec() as spec:
        for column, transform in request.get("partitionBy", []):
            spec.add_field(column, transform)
    for rows in request["appends"]:
        table.append(arrow_table(table.schema(), rows))
    return described(table)


print(json.dumps([write(request) for request in json.load(sys.stdin)]))
