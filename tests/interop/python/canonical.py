"""Cells as JSON, the same from each reader of a table: `canonical.ts` has the same form, and says what it is."""

import uuid
from decimal import Decimal
from math import copysign, inf, isnan

import pyarrow as pa
from pyiceberg.io.pyarrow import schema_to_pyarrow
from pyiceberg.schema import Schema
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
    MapType,
    StringType,
    StructType,
    UUIDType,
)


def canonical_rows(schema: Schema, table: pa.Table):
    """The rows of an Arrow table whose columns are those of the schema, whatever names files have for them."""
    columns = {f.name: [canonical(f.field_type, cell) for cell in table.column(i)] for i, f in enumerate(schema.fields)}
    return [dict(zip(columns, cells)) for cells in zip(*columns.values())]


def canonical(kind, cell: pa.Scalar):
    if not cell.is_valid:
        return None
    if isinstance(cell, pa.ExtensionScalar):
        cell = cell.value
    match kind:
        case StructType():
            return {f.name: canonical(f.field_type, cell[i]) for i, f in enumerate(kind.fields)}
        case ListType():
            return [canonical(kind.element_type, element) for element in cell.values]
        case MapType():
            return [
                [canonical(kind.key_type, entry["key"]), canonical(kind.value_type, entry["value"])]
                for entry in cell.values
            ]
        case BooleanType() | StringType():
            return cell.as_py()
        case IntegerType():
            return cell.as_py()
        case DateType():
            return cell.value
        case FloatType() | DoubleType():
            return number_json(cell.as_py())
        case DecimalType():
            return format(cell.as_py(), "f")
        case UUIDType():
            value = cell.as_py()
            return str(uuid.UUID(bytes=value) if isinstance(value, bytes) else value)
        case FixedType() | BinaryType():
            return cell.as_py().hex()
        case _:  # long, and the times, of which Arrow's value is the count of units
            return str(cell.value if hasattr(cell, "value") else cell.as_py())


def number_json(number: float):
    if isnan(number):
        return "NaN"
    if abs(number) == inf:
        return "Infinity" if number > 0 else "-Infinity"
    return "-0" if number == 0 and copysign(1, number) < 0 else number


def arrow_table(schema: Schema, rows) -> pa.Table:
    """What `canonical_rows` gives, as an Arrow table again."""
    arrow = pa.schema([f.with_type(storage_type(f.type)) for f in schema_to_pyarrow(schema)])
    return pa.Table.from_pylist([{f.name: value_of(f.field_type, row[f.name]) for f in schema.fields} for row in rows], arrow)


def value_of(kind, json):
    """A canonical cell as what Arrow makes arrays of."""
    if json is None:
        return None
    match kind:
        case StructType():
            return {f.name: value_of(f.field_type, json[f.name]) for f in kind.fields}
        case ListType():
            return [value_of(kind.element_type, element) for element in json]
        case MapType():
            return [(value_of(kind.key_type, key), value_of(kind.value_type, value)) for key, value in json]
        case BooleanType() | StringType() | IntegerType() | DateType():
            return json
        case FloatType() | DoubleType():
            return float(json)
        case DecimalType():
            return Decimal(json)
        case UUIDType():
            return uuid.UUID(json).bytes
        case FixedType() | BinaryType():
            return bytes.fromhex(json)
        case _:
            return int(json)


def storage_type(kind: pa.DataType) -> pa.DataType:
    """The type with bytes for uuids: Arrow makes no arrays of values for those."""
    match kind:
        case pa.UuidType():
            return kind.storage_type
        case pa.StructType():
            return pa.struct([f.with_type(storage_type(f.type)) for f in kind])
        case pa.MapType():
            return pa.map_(*[f.with_type(storage_type(f.type)) for f in (kind.key_field, kind.item_field)])
        case pa.ListType() | pa.LargeListType():
            return pa.list_(kind.value_field.with_type(storage_type(kind.value_type)))
        case _:
            return kind
