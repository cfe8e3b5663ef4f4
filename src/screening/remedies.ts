import type { FindingKind } from "./finding.ts";

/** What the user does about each kind of finding, in one sentence without its period. */
export const remedies: Readonly<Record<FindingKind, string>> = {
  out_of_range:
    "No turbine produces that: check the unit, the rated power, the number of units and the marks for missing values",
  standstill: "It produced nothing for days: ask the operator for the reason of the outage",
  idle: "It was stopped while its neighbours ran: ask the operator for the reason",
  stuck: "The logger repeated one value: ask for the original records of these hours",
  flat:
    "Its power hardly changed below rated power: ask the operator for a power limit or a frozen logger",
  gap: "Values are missing: ask the source for them, since gaps are never filled",
  duplicate:
    "Keep one row of each stamp, and check how the clock was set back in autumn and whether files overlap",
  unsorted: "Sort the rows by time, and check the order in which files were joined",
  resolution: "Average the rows to whole hours first",
  clock: "Set the stamps to the starts of whole hours, and check the clock of the logger",
  clock_change:
    "Check whether the stamps are local time, UTC or at a fixed offset, and read them again as that",
  clock_step:
    "Ask what changed that day in the clock, the logger or the export, and read the stamps before and after it each in their own zone",
  wrong_unit: "Check the unit, the rated power and the number of units",
  shift:
    "Check the time zone of the stamps, and whether they name the start or the end of the hour",
};
