"""Fetches a request from a stand-in of the Climate Data Store with both of its own clients, and prints what came."""

import hashlib
import json
import sys

import cdsapi
from ecmwf.datastores import Client

url, key, dataset, request = sys.argv[1:]
inputs = json.loads(request)
cdsapi.Client(url=url, key=key, quiet=True, progress=False).retrieve(dataset, inputs, "cdsapi.zip")
Client(url=url, key=key).retrieve(dataset, inputs, "datastores.zip")
hashes = [hashlib.sha256(open(name, "rb").read()).hexdigest() for name in ("cdsapi.zip", "datastores.zip")]
print(json.dumps(hashes))
