import { type Column, ownColumn } from "../../api/columns/column.ts";
import { turbineId } from "../../api/columns/columns.ts";

/** Columns of the frames of `readEvents()`. */
export const eventColumns: readonly Column[] = [
  turbineId,
  ownColumn("from", "datetime", "From", "Start of the event."),
  ownColumn("to", "datetime", "To", "End of the event; null where the file has none."),
  ownColumn("category", "utf8", "Category", "Category of IEC 61400-26, as the file has it."),
  ownColumn("status", "utf8", "Status", "Kind of the event, as the file has it."),
  ownColumn("code", "utf8", "Code", "Code of the event."),
  ownColumn("text", "utf8", "Text", "Message of the event."),
  ownColumn(
    "flags",
    "utf8",
    "Flags",
    "What needs care: duplicate, overlap, open, instant, negative, unclear hour; null where nothing does.",
  ),
];

/** Categories of IEC 61400-26 in one spelling; files vary in their capitals. */
export const IEC_CATEGORIES: readonly string[] = [
  "Full Performance",
  "Partial Performance",
  "Technical Standby",
  "Out of Environmental Specification",
  "Out of Electrical Specification",
  "Requested Shutdown",
  "Scheduled Maintenance",
  "Planned Corrective Action",
  "Forced Outage",
  "Suspended",
  "Force Majeure",
  "Unavailable",
];
