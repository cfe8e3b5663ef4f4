"""Fetches and reads the hourly model at an address for each line on stdin, and prints the time, ms."""

import io
import os
import sys
import time

import polars
import requests

address, header = sys.argv[1:]
session = requests.Session()
session.headers[header] = os.environ["VINDKIT_PEER_KEY"]

for _ in sys.stdin:
    begin = time.perf_counter()
    answer = session.get(address)
    answer.raise_for_status()
    frame = polars.read_csv(io.BytesIO(answer.content))
    stamps = polars.col("time").str.to_datetime("%Y-%m-%dT%H:%M:%S%z")
    frame = frame.with_columns(stamps.dt.convert_time_zone("Europe/Copenhagen"))
    print((time.perf_counter() - begin) * 1000, flush=True)
