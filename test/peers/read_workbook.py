"""Reads a workbook with openpyxl and prints the contents of each sheet.

Argument: the workbook.
"""

import datetime
import json
import sys

import openpyxl


def plain(value):
    """A value as JSON: dates in ISO 8601."""
    return value.isoformat()[:10] if isinstance(value, datetime.datetime) else value


book = openpyxl.load_workbook(sys.argv[1])
print(
    json.dumps(
        [
            {
                "name": sheet.title,
                "freeze": sheet.freeze_panes,
                "area": sheet.print_area,
                "titles": sheet.print_title_rows,
                "pictures": len(sheet._images),
                "formulas": sum(cell.data_type == "f" for row in sheet for cell in row),
                "formats": [[cell.number_format for cell in row] for row in sheet],
                "rows": [[plain(cell.value) for cell in row] for row in sheet],
            }
            for sheet in book
        ]
    )
)
