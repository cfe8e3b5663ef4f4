"""Predicts unseen months from windows of other months with other tools; CSV on stdin, windows as an argument, JSON on stdout."""

import contextlib
import importlib.util
import json
import sys

import pandas
from sklearn.ensemble import HistGradientBoostingRegressor

hours = pandas.read_csv(sys.stdin, parse_dates=["time"])
hours["time"] = hours["time"].dt.tz_localize(None)  # brightwind needs times without a zone
windows = json.loads(sys.argv[1])
features = [name for name in hours.columns if name not in ("time", "month", "power")]


def by_month(unseen, power):
    """Energy of each month."""
    return {str(month): float(sum) for month, sum in power.groupby(unseen["month"]).sum().items()}


def boost(train, unseen):
    """Gradient boosting with its usual settings, hour by hour."""
    model = HistGradientBoostingRegressor(random_state=1).fit(train[features], train["power"])
    return by_month(unseen, pandas.Series(model.predict(unseen[features]), unseen.index))


def correlate(train, unseen):
    """Ordinary least squares of brightwind on daily means of wind speed."""
    import brightwind

    series = train.set_index("time")
    line = brightwind.Correl.OrdinaryLeastSquares(
        series["wind"], series["power"], averaging_prd="1D", coverage_threshold=0.5
    )
    line.run()
    slope, offset = line.params["slope"], line.params["offset"]
    return by_month(unseen, offset + slope * unseen["wind"])


methods = {"gradient boosting": boost}
if importlib.util.find_spec("brightwind"):
    methods["brightwind, daily least squares"] = correlate
found = {name: [] for name in methods}
for window in windows:
    train = hours[hours["month"].isin(window["train"])]
    unseen = hours[hours["month"].isin(window["unseen"])]
    for name, predict in methods.items():
        with contextlib.redirect_stdout(sys.stderr):  # brightwind prints its progress
            found[name].append(predict(train, unseen))
print(json.dumps(found))
