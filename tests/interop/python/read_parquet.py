"""What DuckDB reads of the Parquet files of tables, whose current snapshots have no delete files and whose columns never changed.

Takes on its input a JSON list of `{"metadata": PATH}` and prints the list of their rows.
"""

import json
import sys

import duckdb
from canonical import canonical_rows
from pyiceberg.table import StaticTable

connection = duckdb.connect(config={"autoinstall_known_extensions": False, "autoload_known_extensions": False})
connection.execute("SET TimeZone = 'UTC'")


def rows(request):
    table = StaticTable.from_metadata(request["metadata"])
    files = [task.file.file_path.removeprefix("file://") for task in table.scan().plan_files()]
    found = connection.execute("SELECT * FROM read_parquet($files, hive_partitioning = false)", {"files": files})
    return canonical_rows(table.schema(), found.to_arrow_table())


print(json.dumps([rows(request) for request in json.load(sys.stdin)]))
