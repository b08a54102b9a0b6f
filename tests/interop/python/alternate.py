"""Changes of tables of a REST catalog, while others change them too.

    python alternate.py URI

For each JSON list on its input, of `{"table", "steps"}`, it prints a line, the list of their `{"rows"}` after the steps, of which there may
be none. Steps are `{"append": ROWS}`, `{"deleteWhere": FILTER}` and `{"overwriteWhere": FILTER, "rows": ROWS}`.
"""

import json
import sys

from canonical import arrow_table
from expressions import expression
from pyiceberg.catalog.rest import RestCatalog
from warehouse import rows_of

catalog = RestCatalog("rest", uri=sys.argv[1])


def change(request):
    table = catalog.load_table(request["table"])
    for step in request["steps"]:
        if "append" in step:
            table.append(arrow_table(table.schema(), step["append"]))
        elif "deleteWhere" in step:
            table.delete(expression(step["deleteWhere"]))
        else:
            table.overwrite(arrow_table(table.schema(), step["rows"]), overwrite_filter=expression(step["overwriteWhere"]))
    return {"rows": rows_of(table)}


for line in sys.stdin:
    print(json.dumps([change(request) for request in json.loads(line)]), flush=True)
