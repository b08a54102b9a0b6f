"""What `tables.ts` compares with: PyIceberg appending the flights to a table of a folder, and averaging over a scan of it.

    python flights_table.py FLIGHTS FOLDER ROUNDS

Prints `{"append": [MS], "scan": [MS]}`, after one round that isn't counted.
"""

import json
import sys
from time import perf_counter

import pyarrow as pa
import pyarrow.parquet as pq
from pyiceberg.catalog.sql import SqlCatalog

flights, folder, rounds = sys.argv[1:]
catalog = SqlCatalog("bench", uri=f"sqlite:///{folder}/catalog.sqlite", warehouse=f"file://{folder}")
catalog.create_namespace("bench")
schema = pq.read_schema(flights).remove_metadata()


def timed(work):
    started = perf_counter()
    result = work()
    return result, (perf_counter() - started) * 1000


def append(table):
    table.append(pq.read_table(flights).cast(schema))


def average(table):
    rows = table.scan(selected_fields=("origin", "delay")).to_arrow()
    return pa.TableGroupBy(rows, "origin").aggregate([("delay", "mean")]).num_rows


times = {"append": [], "scan": []}
for round in range(int(rounds) + 1):
    table = catalog.create_table(("bench", f"flights_{round}"), schema)
    for name, work in (("append", append), ("scan", average)):
        _, ms = timed(lambda: work(table))
        if round > 0:
            times[name].append(ms)
print(json.dumps(times))
