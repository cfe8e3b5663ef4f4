import type { Column } from "../../api/columns/column.ts";
import { turbineId } from "../../api/columns/columns.ts";

const column = (
  name: string,
  dtype: Column["dtype"],
  label: string,
  description: string,
): Column => ({ name, dtype, label, description, tag: "ours" });

/** Columns of the frames of `readEvents()`. */
export const eventColumns: readonly Column[] = [
  turbineId,
  column("from", "datetime", "From", "Start of the event."),
  column("to", "datetime", "To", "End of the event; null where the file has none."),
  column("category", "utf8", "Category", "Category of IEC 61400-26, as the file has it."),
  column("status", "utf8", "Status", "Kind of the event, as the file has it."),
  column("code", "utf8", "Code", "Code of the event."),
  column("text", "utf8", "Text", "Message of the event."),
  column(
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
