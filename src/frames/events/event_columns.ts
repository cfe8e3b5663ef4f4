import { addedColumn, type Column } from "../../api/columns/column.ts";
import { turbineId } from "../../api/columns/columns.ts";

/** An entry of a status log. */
export interface Event {
  /** The turbine. */
  readonly turbine_id: string;
  /** Start, ms since 1970 UTC. */
  readonly from: number;
  /** End, ms since 1970 UTC; `null` if the file has none. It may be before the start, as in some rows of files. */
  readonly to: number | null;
  readonly category: string | null;
  readonly status: string | null;
  readonly code: string | null;
  readonly text: string | null;
  /** Whether it is a message without a duration, not a state with an unknown end. */
  readonly instant: boolean;
  /** Whether start or end may be in either pass of a repeated hour; we take the earlier one. */
  readonly unclear: boolean;
}

/** Columns of the frames of `readEvents()`. */
export const eventColumns: readonly Column[] = [
  turbineId,
  addedColumn("from", "datetime", "From", "Start of the event."),
  addedColumn("to", "datetime", "To", "End of the event; null if the file has none."),
  addedColumn("category", "utf8", "Category", "IEC 61400-26 category, as stated in the file."),
  addedColumn("status", "utf8", "Status", "Kind of the event, as stated in the file."),
  addedColumn("code", "utf8", "Code", "Code of the event."),
  addedColumn("text", "utf8", "Text", "Message of the event."),
  addedColumn(
    "flags",
    "utf8",
    "Flags",
    "Problem in the row: duplicate, overlap, open, instant, negative, unclear hour; null if there is none.",
  ),
];

const counter = (name: string, label: string, state: string): Column => ({
  ...addedColumn(name, "f64", label, `Time within the period during which ${state}.`, "s"),
  range: [0, null],
});

/** Columns of the frames of `readEvents()` that count the time in states. */
export const counterColumns: readonly Column[] = [
  turbineId,
  addedColumn("from", "datetime", "From", "Start of the period."),
  addedColumn("to", "datetime", "To", "End of the period."),
  counter(
    "environment_stop",
    "Environment stop",
    "the environment stopped the turbine, for example ice",
  ),
  counter("commanded_stop", "Commanded stop", "the turbine was stopped by a command"),
  counter("turbine_stop", "Turbine stop", "a fault of the turbine stopped it"),
  counter("grid_stop", "Grid stop", "the grid stopped the turbine"),
  counter("ready_to_operate", "Ready to operate", "the turbine could run"),
  counter("wind_in_range", "Wind in range", "the wind was in the turbine's operating range"),
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
