"""Tables whose schemas changed between appends, and one whose files have no field ids.

    python write_evolution.py WAREHOUSE

Prints, by table, `{"metadata", "rows", "snapshots": [{"id", "rows"}]}`.
"""

import json
import sys
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
from canonical import arrow_table
from pyiceberg.schema import Schema
from pyiceberg.types import (
    DecimalType,
    DoubleType,
    FloatType,
    IntegerType,
    ListType,
    LongType,
    MapType,
    NestedField,
    StringType,
    StructType,
    TimestamptzType,
)
from warehouse import open_warehouse, with_snapshots

folder = sys.argv[1]
catalog = open_warehouse(folder)


def columns():
    """One column a change: promoted, renamed, moved, dropped, dropped and added anew with another type, made optional."""
    table = catalog.create_table(
        ("lake", "columns"),
        Schema(
            NestedField(1, "id", IntegerType(), required=True),
            NestedField(2, "i", IntegerType(), required=False),
            NestedField(3, "f", FloatType(), required=False),
            NestedField(4, "dec", DecimalType(9, 2), required=False),
            NestedField(5, "old_name", StringType(), required=False),
            NestedField(6, "dropped", StringType(), required=False),
            NestedField(7, "again", IntegerType(), required=False),
        ),
    )
    first = {"i": 2147483647, "f": 1.5, "dec": "1234567.89", "old_name": "a", "dropped": "d", "again": 7}
    append(table, [{"id": 1, **first}, {"id": 2, **dict.fromkeys(first)}])
    with table.update_schema() as change:
        change.update_column("i", LongType())
        change.update_column("f", DoubleType())
        change.update_column("dec", DecimalType(18, 2))
        change.rename_column("old_name", "new_name")
        change.delete_column("dropped")
        change.delete_column("again")
        change.make_column_optional("id")
        change.add_column("at", TimestamptzType())
    with table.update_schema() as change:
        change.add_column("again", StringType())
        change.move_first("again")
        change.move_after("id", "dec")
    second = {"i": "-9223372036854775808", "f": 0.1, "dec": "-1234567890123456.78", "new_name": "b", "at": "1", "again": "x"}
    append(table, [{"id": 3, **second}, {"id": None, **dict.fromkeys(second)}])
    return table


def nested():
    """The same within structs, in lists and in maps."""
    point = StructType(
        NestedField(20, "x", IntegerType(), required=False),
        NestedField(21, "y", FloatType(), required=False),
        NestedField(22, "gone", StringType(), required=False),
    )
    table = catalog.create_table(
        ("lake", "nested"),
        Schema(
            NestedField(1, "id", IntegerType(), required=False),
            NestedField(2, "point", point, required=False),
            NestedField(3, "points", ListType(4, point, element_required=False), required=False),
            NestedField(5, "places", MapType(6, StringType(), 7, point, value_required=False), required=False),
            NestedField(8, "ints", ListType(9, IntegerType(), element_required=False), required=False),
        ),
    )
    old = {"x": 1, "y": 2.5, "gone": "g"}
    none = {"x": None, "y": None, "gone": None}
    append(table, [
        {"id": 1, "point": old, "points": [old, None, none], "places": [["a", old], ["b", None]], "ints": [1, None]},
        {"id": 2, "point": None, "points": [], "places": [], "ints": None},
    ])
    with table.update_schema(allow_incompatible_changes=True) as change:
        for place in (("point",), ("points", "element"), ("places", "value")):
            change.update_column((*place, "x"), LongType())
            change.update_column((*place, "y"), DoubleType())
            change.delete_column((*place, "gone"))
            change.rename_column((*place, "x"), "east")
            change.add_column((*place, "z"), StructType(NestedField(30, "deep", StringType(), required=False)))
        change.update_column(("ints", "element"), LongType())
        change.move_first(("point", "y"))
    new = {"y": 0.1, "east": "9007199254740993", "z": {"deep": "d"}}
    append(table, [
        {"id": 3, "point": new, "points": [new], "places": [["c", new]], "ints": ["9007199254740993"]},
        {"id": 4, "point": {**new, "z": None}, "points": [{**new, "z": {"deep": None}}], "places": [], "ints": []},
    ])
    return table


def by_names():
    """Files without field ids, which a table took over with a name mapping; then a column is renamed and one is added."""
    file = f"{folder}/foreign.parquet"
    rows = [{"id": 1, "point": {"x": 1}, "list": [{"n": 1}]}, {"id": 2, "point": None, "list": [None]}]
    kind = pa.schema([
        ("id", pa.int32()),
        ("point", pa.struct([("x", pa.int64())])),
        ("list", pa.list_(pa.struct([("n", pa.int32())]))),
    ])
    pq.write_table(pa.Table.from_pylist(rows, kind), file)
    table = catalog.create_table(("lake", "by_names"), kind)
    table.add_files([f"file://{file}"])
    with table.update_schema() as change:
        change.rename_column("id", "number")
        change.rename_column(("point", "x"), "east")
        change.add_column("note", StringType())
    append(table, [{"number": 3, "point": {"east": "3"}, "list": [{"n": 3}], "note": "new"}])
    return table


def append(table, rows):
    table.append(arrow_table(table.schema(), rows))


Path(folder).mkdir(parents=True, exist_ok=True)
print(json.dumps({write.__name__: with_snapshots(write()) for write in (columns, nested, by_names)}))
