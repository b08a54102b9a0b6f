"""A folder of tables that PyIceberg writes, and what it says of each."""

from canonical import canonical_rows
from pyiceberg.catalog.sql import SqlCatalog


def open_warehouse(folder):
    catalog = SqlCatalog("lake", uri=f"sqlite:///{folder}/catalog.sqlite", warehouse=f"file://{folder}")
    catalog.create_namespace_if_not_exists("lake")
    return catalog


def described(table):
    """Where the table is, and the rows that PyIceberg reads of it."""
    return {"metadata": table.metadata_location, "rows": rows_of(table)}


def rows_of(table, **scan):
    found = table.scan(**scan)
    return canonical_rows(found.projection(), found.to_arrow())


def with_snapshots(table):
    """`described`, and each snapshot with the rows that PyIceberg reads of it."""
    return {
        **described(table),
        "snapshots": [{"id": str(s.snapshot_id), "rows": rows_of(table, snapshot_id=s.snapshot_id)} for s in table.snapshots()],
    }
