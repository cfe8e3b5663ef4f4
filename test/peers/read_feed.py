"""Reads a feed like a feed reader, with name and password, and prints its entries.

Arguments: address of the feed, the password.
"""

import json
import sys
import urllib.parse

import feedparser

ADDRESS, PASSWORD = sys.argv[1:]

parts = urllib.parse.urlsplit(ADDRESS)
signed_in = parts._replace(netloc=f"reader:{PASSWORD}@{parts.netloc}")
first = feedparser.parse(urllib.parse.urlunsplit(signed_in))
again = feedparser.parse(urllib.parse.urlunsplit(signed_in), etag=first.etag)

print(
    json.dumps(
        {
            "bozo": bool(first.bozo),
            "version": first.version,
            "statuses": [first.status, again.status],
            "refused": feedparser.parse(ADDRESS).status,
            "title": first.feed.title,
            "titles": [entry.title for entry in first.entries],
            "types": [entry.title_detail.type for entry in first.entries],
            "terms": [[tag.term for tag in entry.tags] for entry in first.entries],
            "contents": [entry.content[0].value for entry in first.entries],
            "dated": all(entry.updated_parsed for entry in first.entries),
        }
    )
)
