"""Reads an export by its manifest with three engines, and prints the facts of each.

Arguments: the folder of the export, the table, its column of time.
"""

import json
import sys

import duckdb
import polars
import pyarrow.compute
import pyarrow.dataset
import pyarrow.parquet

FOLDER, TABLE, TIME = sys.argv[1:]

with open(f"{FOLDER}/{TABLE}.manifest.json", encoding="utf-8") as file:
    manifest = json.load(file)
paths = [f"{FOLDER}/{file['path']}" for file in manifest["files"]]
numbers = [column["name"] for column in manifest["columns"] if column["type"] in ("f64", "i32")] + [
    "year"
]


def by_duckdb():
    """The JSON extension reads the manifest too."""
    own = duckdb.connect()
    own.sql("SET TimeZone = 'UTC'")
    own.sql(
        f"SET VARIABLE files = (SELECT list('{FOLDER}/' || file.path) FROM "
        f"(SELECT unnest(files) AS file FROM read_json('{FOLDER}/{TABLE}.manifest.json')))"
    )
    source = "read_parquet(getvariable('files'), hive_partitioning = true)"
    parts = ", ".join(
        f"sum({name}), count(*) - count({name}), count(*) FILTER (isnan({name}::DOUBLE))"
        for name in numbers
    )
    [values] = own.sql(f"SELECT {parts} FROM {source}").fetchall()
    [ends] = own.sql(
        f"SELECT count(*), count(DISTINCT turbine_id), epoch(min({TIME}))::BIGINT, "
        f"epoch(max({TIME}))::BIGINT FROM {source}"
    ).fetchall()
    [[kind]] = own.sql(f"SELECT typeof({TIME}) FROM {source} LIMIT 1").fetchall()
    return {
        "rows": ends[0],
        "turbines": ends[1],
        "ends": list(ends[2:]),
        "time": kind,
        "columns": {name: list(values[3 * i : 3 * i + 3]) for i, name in enumerate(numbers)},
    }


def by_polars():
    frame = polars.scan_parquet(paths, hive_partitioning=True).collect()
    column = {name: frame[name] for name in numbers}
    seconds = frame[TIME].cast(polars.Datetime("us")).dt.epoch("s")
    return {
        "rows": frame.height,
        "turbines": frame["turbine_id"].n_unique(),
        "ends": [seconds.min(), seconds.max()],
        "time": str(frame[TIME].dtype),
        "columns": {
            name: [
                values.sum(),
                values.null_count(),
                int(values.is_nan().sum()) if values.dtype.is_float() else 0,
            ]
            for name, values in column.items()
        },
    }


def by_pyarrow():
    hive = pyarrow.dataset.partitioning(flavor="hive")
    table = pyarrow.dataset.dataset(paths, partitioning=hive).to_table()
    compute = pyarrow.compute
    time = table[TIME].cast(pyarrow.timestamp("s"))
    ends = compute.min_max(time.cast(pyarrow.int64())).as_py()
    return {
        "rows": table.num_rows,
        "turbines": compute.count_distinct(table["turbine_id"]).as_py(),
        "ends": [ends["min"], ends["max"]],
        "time": str(table.schema.field(TIME).type),
        "columns": {
            name: [
                compute.sum(table[name]).as_py(),
                table[name].null_count,
                compute.sum(compute.is_nan(table[name])).as_py() or 0,
            ]
            for name in numbers
        },
    }


def pruned(turbine, year):
    """Files and row groups to read for one turbine and year, by folders and statistics alone."""
    hive = pyarrow.dataset.partitioning(flavor="hive")
    dataset = pyarrow.dataset.dataset(paths, partitioning=hive)
    field = pyarrow.dataset.field
    of_year = list(dataset.get_fragments(field("year") == year))
    left = [
        group
        for fragment in of_year
        for group in fragment.split_by_row_group(field("turbine_id") == turbine)
    ]
    groups = [group.num_rows for path in paths for group in row_groups(path)]
    return {
        "files": len(of_year),
        "row_groups": len(left),
        "all_row_groups": len(groups),
        "largest": max(groups),
    }


def row_groups(path):
    metadata = pyarrow.parquet.ParquetFile(path).metadata
    return [metadata.row_group(i) for i in range(metadata.num_row_groups)]


first = manifest["groups"][0]["turbines"][0]["turbine_id"]
print(
    json.dumps(
        {
            "duckdb": by_duckdb(),
            "polars": by_polars(),
            "pyarrow": by_pyarrow(),
            "pruned": pruned(first, manifest["files"][0]["year"]),
        }
    )
)
