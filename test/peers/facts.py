"""Facts about what a peer has read, to compare with another client."""

import hashlib

import pandas


def table(frame):
    """Facts of a table: its rows, and the gaps and the sum or end values of each column."""
    return {
        "rows": len(frame),
        "columns": [{"name": str(name), **column(frame[name])} for name in frame.columns],
    }


def column(values):
    """Facts of a column: sums of numbers and of instants (seconds since 1970), counts of texts."""
    if pandas.api.types.is_datetime64_any_dtype(values):
        seconds = [int(value.timestamp()) for value in values]
        return {"first": seconds[0], "last": seconds[-1], "sum": sum(seconds)}
    gaps = int(values.isna().sum())
    if pandas.api.types.is_numeric_dtype(values):
        return {"gaps": gaps, "sum": float(values.sum())}
    return {"gaps": gaps, "first": values.iloc[0], "last": values.iloc[-1], "kinds": values.nunique()}


def stamped(frame, zone):
    """The table with its time texts as instants in a zone."""
    frame["time"] = pandas.to_datetime(frame["time"], utc=True).dt.tz_convert(zone)
    return frame


def local(frame):
    """The first and the last timestamp in local time."""
    return [frame["time"].iloc[i].strftime("%Y-%m-%dT%H:%M:%S") for i in (0, -1)]


def hash_of(body):
    """SHA-256 of a body."""
    return hashlib.sha256(body).hexdigest()
