"""Climate files as the service delivers them: a preamble, then a tab-separated table; bare or in an archive."""

import io
import json
import zipfile

import pandas

from facts import hash_of, stamped, table


def read(body):
    """The table of a file, whether zipped or not."""
    if zipfile.is_zipfile(io.BytesIO(body)):
        with zipfile.ZipFile(io.BytesIO(body)) as archive:
            (name,) = archive.namelist()
            body = archive.read(name)
    lines = body.decode("utf-8").splitlines()
    header = next(i for i, line in enumerate(lines) if line.startswith("time"))
    frame = pandas.read_csv(io.BytesIO(body), sep="\t", skiprows=header)
    return stamped(frame, "UTC")


def facts(body):
    """Facts of a file with a table in it."""
    return {"sha256": hash_of(body), "table": table(read(body))}


def raw_facts(body):
    """Facts of a raw file in Vindkit's layout: a Parquet table with a description."""
    with zipfile.ZipFile(io.BytesIO(body)) as archive:
        about = json.loads(archive.read("about.json"))
        return {
            "sha256": hash_of(body),
            "members": archive.namelist(),
            "columns": [entry["name"] for entry in about["columns"]],
        }
