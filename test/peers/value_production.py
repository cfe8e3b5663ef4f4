"""Values production with pandas, like an analyst, and prints it by month.

Arguments: CSV of prices (Hour without offset on the clock of Copenhagen, Price), CSV of hours (time UTC, produced kW, expected kW).
"""

import json
import sys

import pandas as pd

PRICES, HOURS = sys.argv[1:]
ZONE = "Europe/Copenhagen"

prices = pd.read_csv(PRICES)
stamps = pd.to_datetime(prices["Hour"]).dt.tz_localize(ZONE, ambiguous="infer")
price = pd.Series(prices["Price"].to_numpy(), index=stamps.dt.tz_convert("UTC"))
hours = pd.read_csv(HOURS, index_col="time", parse_dates=True)
hours = hours.join(price.rename("price")).dropna()
hours["value"] = hours["produced"] * hours["price"] / 1000
hours["possible"] = hours["expected"] * hours["price"] / 1000
hours["low"] = hours["price"] <= 0
months = hours.groupby(hours.index.tz_convert(ZONE).strftime("%Y-%m-01"))
print(
    json.dumps(
        [
            {
                "month": month,
                "hours": len(own),
                "value": own["value"].sum(),
                "capture_price": own["value"].sum() / own["produced"].sum() * 1000,
                "possible_price": own["possible"].sum() / own["expected"].sum() * 1000,
                "mean_price": own["price"].mean(),
                "low_hours": int(own["low"].sum()),
            }
            for month, own in months
        ]
    )
)
