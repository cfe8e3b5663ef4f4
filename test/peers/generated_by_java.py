"""Reads with a client made by openapi-generator, and prints the types of the values.

The folder of the generated package comes as the argument; address, key and what is asked for as for `read_all.py`.
"""

import json
import os
import sys

sys.path.insert(0, sys.argv[1])
import openapi_client  # noqa: E402

CONFIGURATION = openapi_client.Configuration(
    host=os.environ["VINDKIT_PEER_URL"], api_key={"key": os.environ["VINDKIT_PEER_KEY"]}
)


def name(value):
    return type(value).__name__


def main():
    wanted = json.load(sys.stdin)
    with openapi_client.ApiClient(CONFIGURATION) as client:
        wind = openapi_client.WindIndexApi(client)
        climate = openapi_client.ClimateDataApi(client)
        details = wind.turbine_details(wanted["turbine"])
        month = wind.monthly_index(wanted["turbine"], wanted["year"], wanted["month"])
        near = climate.coverage(wanted["dataset"], **wanted["point"])[0]
        file = climate.download_climate(
            wanted["dataset"], **wanted["point"], **wanted["years"], filetype="zipcsv"
        )
    facts = {
        "training_start": name(details.training_start),
        "latitude": name(details.latitude),
        "units": name(details.units),
        "data_ready": name(details.data_ready),
        "power": name(details.power_curve.power[0].power),
        "month": name(month.month),
        "month_index": name(month.month_index),
        "last_updated": name(near.last_updated),
        "file": name(file),
        "magic": file[:2].decode("latin-1"),
    }
    json.dump(facts, sys.stdout)


main()
