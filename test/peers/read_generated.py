"""Reads all operations with a client generated from the service's document, and prints facts.

The folder above the generated package comes as the argument; everything else as for `read_all.py`.
"""

import datetime
import importlib
import io
import json
import os
import sys
import time

import httpx
import pandas

import climate_file
from facts import hash_of, local, stamped, table

sys.path.insert(0, sys.argv[1])
from generated import AuthenticatedClient, Client, models  # noqa: E402

BASE = os.environ["VINDKIT_PEER_URL"]
DEADLINE = 60  # s


def keyed(key):
    """A client that sends a key as the document specifies."""
    return AuthenticatedClient(
        base_url=BASE, token=key, prefix="", auth_header_name="X-Auth", timeout=httpx.Timeout(DEADLINE)
    )


CLIENT = keyed(os.environ["VINDKIT_PEER_KEY"])


def answer(operation, *path, client=CLIENT, **query):
    """Calls an operation by its module name, and raises unless the result has the declared type."""
    module = importlib.import_module(f"generated.api.{operation}")
    found = module.sync_detailed(*path, client=client, **query)
    if found.status_code != 200:
        raise RuntimeError(f"{operation} answered {found.status_code}: {found.content[:300]!r}")
    return found


def parsed(operation, model, *path, **query):
    """Converts objects of generated classes back to JSON."""
    value = answer(operation, *path, **query).parsed
    if isinstance(value, list):
        assert all(isinstance(entry, model) for entry in value), f"{operation} gave {value[:1]}"
        return [entry.to_dict() for entry in value]
    assert isinstance(value, model), f"{operation} gave {value}"
    return value.to_dict()


def read_csv(text):
    assert isinstance(text, str)
    return pandas.read_csv(io.StringIO(text))


def model_data(turbine, start, end):
    found = answer(
        "wind_index.model_data",
        turbine,
        start_date=datetime.date.fromisoformat(start),
        end_date=datetime.date.fromisoformat(end),
    )
    frame = stamped(read_csv(found.parsed), found.headers["Vindkit-Time-Zone"])
    return {
        "sha256": hash_of(found.content),
        "zone": str(frame["time"].dt.tz),
        "local": local(frame),
        "table": table(frame),
    }


def ordered(dataset, query, kind):
    order = answer(
        "climate_data.place_order", dataset, filetype=models.PlaceOrderFiletype(kind), **query
    ).parsed
    end = time.monotonic() + DEADLINE
    while time.monotonic() < end:
        status = answer("climate_data.order_status", order).parsed
        if status.startswith("http"):
            file = httpx.get(status, timeout=DEADLINE).raise_for_status()
            media_type = file.headers["Content-Type"].split(";")[0]
            return {"media_type": media_type, **climate_file.facts(file.content)}
        time.sleep(0.05)
    raise TimeoutError(f"no address within {DEADLINE} s")


def downloaded(dataset, query, kind):
    found = answer(
        "climate_data.download_climate",
        dataset,
        filetype=models.DownloadClimateFiletype(kind),
        **query,
    )
    facts = climate_file.raw_facts if kind == "zipraw" else climate_file.facts
    media_type = found.headers["Content-Type"].split(";")[0]
    return {"media_type": media_type, **facts(found.parsed.payload.read())}


def api_key(serial_number, email):
    issued = answer(
        "user_access.api_key", client=Client(base_url=BASE), serial_number=serial_number, email=email
    ).parsed
    turbines = answer("wind_index.turbines", client=keyed(issued.api_key)).parsed
    return {"expires": issued.expires, "turbines": len(turbines)}


def main():
    wanted = json.load(sys.stdin)
    turbine, year, month = wanted["turbine"], wanted["year"], wanted["month"]
    dataset, point = wanted["dataset"], wanted["point"]
    query = {**point, **wanted["years"]}
    kinds = [kind.value for kind in models.DownloadClimateFiletype]
    facts = {
        "turbines": parsed("wind_index.turbines", models.Turbines),
        "turbine_details": parsed("wind_index.turbine_details", models.TurbineDetails, turbine),
        "model_data": model_data(turbine, wanted["start"], wanted["end"]),
        "wind_indices": table(read_csv(answer("wind_index.wind_indices", turbine).parsed)),
        "monthly_index": parsed(
            "wind_index.monthly_index", models.MonthlyIndex, turbine, year, month
        ),
        "datasets": parsed("climate_data.datasets", models.Datasets),
        "coverage": parsed(
            "climate_data.coverage", models.Coverage, dataset, **point, num_points=4
        ),
        "place_order": ordered(dataset, query, "zipcsv"),
        "order_status": ordered(dataset, query, "csv"),
        "download_climate": {kind: downloaded(dataset, query, kind) for kind in kinds},
        "report_turbines": parsed("reports.report_turbines", models.ReportTurbines),
        "report_months": parsed("reports.report_months", models.ReportMonths, turbine),
        "monthly_report": parsed(
            "reports.monthly_report", models.MonthlyReport, turbine, f"{year}-{month:02}"
        ),
        "api_key": api_key(wanted["serial_number"], wanted["email"]),
    }
    json.dump(facts, sys.stdout, allow_nan=False)


main()
