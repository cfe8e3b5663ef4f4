"""Reads all operations with requests and pandas, like an analyst without a client, and prints facts.

The service, a key, and a licence to ask a key with come in the environment; what to ask for comes on the standard
input, by operation: a list of sets of parameters.
"""

import io
import json
import os
import sys
import time

import pandas
import requests

import climate_file
from facts import hash_of, local, stamped, table

BASE = os.environ["VINDKIT_PEER_URL"]
KEY = os.environ["VINDKIT_PEER_KEY"]
DEADLINE = 60  # s


def get(path, key=KEY, **query):
    """Requests a path of the service, and raises without success."""
    answer = requests.get(BASE + path, params=query, headers={"X-Auth": key}, timeout=DEADLINE)
    answer.raise_for_status()
    return answer


def read_csv(answer):
    return pandas.read_csv(io.BytesIO(answer.content))


def model_data(turbine, start, end):
    answer = get(f"/wind-index/calibrated/model_data/{turbine}", start_date=start, end_date=end)
    frame = stamped(read_csv(answer), answer.headers["Vindkit-Time-Zone"])
    return {
        "sha256": hash_of(answer.content),
        "zone": str(frame["time"].dt.tz),
        "local": local(frame),
        "table": table(frame),
    }


def ordered(dataset, query):
    """Places an order, requests its status until that is an address, and fetches the file."""
    order = get(f"/onlinedata-services/climate/order/{dataset}", **query).json()
    words = []
    end = time.monotonic() + DEADLINE
    while time.monotonic() < end:
        status = get(f"/onlinedata-services/climate/status/{order}").json()
        if status.startswith("http"):
            file = requests.get(status, timeout=DEADLINE)  # without the key: the address suffices
            file.raise_for_status()
            media_type = file.headers["Content-Type"].split(";")[0]
            return {"media_type": media_type, **climate_file.facts(file.content)}
        words.append(status)
        time.sleep(0.05)
    raise TimeoutError(f"no address within {DEADLINE} s, but {words}")


def downloaded(dataset, query):
    answer = get(f"/onlinedata-services/climatedownload/{dataset}", **query)
    facts = climate_file.raw_facts if query["filetype"] == "zipraw" else climate_file.facts
    media_type = answer.headers["Content-Type"].split(";")[0]
    return {"media_type": media_type, **facts(answer.content)}


def api_key(serial_number, email):
    """Facts of a new key: the data it gives access to."""
    issued = requests.get(
        BASE + "/apikey", params={"serial_number": serial_number, "email": email}, timeout=DEADLINE
    ).json()
    return {
        "expires": issued["expires"],
        "turbines": len(get("/wind-index/calibrated/", key=issued["api_key"]).json()),
    }


def main():
    wanted = json.load(sys.stdin)
    turbine, year, month = wanted["turbine"], wanted["year"], wanted["month"]
    period = f"{year}-{month:02}"
    dataset, point, years = wanted["dataset"], wanted["point"], wanted["years"]
    reports = "/onlinedata-services/windindex/calibrated/report/"
    order = {kind: {**point, **years, "filetype": kind} for kind in ("zipcsv", "csv", "zipraw")}
    facts = {
        "turbines": get("/wind-index/calibrated/").json(),
        "turbine_details": get(f"/wind-index/calibrated/details/{turbine}").json(),
        "model_data": model_data(turbine, wanted["start"], wanted["end"]),
        "wind_indices": table(read_csv(get(f"/wind-index/calibrated/wind_indices/{turbine}"))),
        "monthly_index": get(
            f"/wind-index/calibrated/wind_indices/{turbine}/{year}/{month}/"
        ).json(),
        "datasets": get("/onlinedata-services/climate/datasets").json(),
        "coverage": get(
            f"/onlinedata-services/climate/coverage/{dataset}", **point, num_points=4
        ).json(),
        "place_order": ordered(dataset, order["zipcsv"]),
        "order_status": ordered(dataset, order["csv"]),
        "download_climate": {kind: downloaded(dataset, query) for kind, query in order.items()},
        "report_turbines": get(reports).json(),
        "report_months": get(f"{reports}{turbine}").json(),
        "monthly_report": get(f"{reports}{turbine}/{period}").json(),
        "api_key": api_key(wanted["serial_number"], wanted["email"]),
    }
    json.dump(facts, sys.stdout, allow_nan=False)


main()
