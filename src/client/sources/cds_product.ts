import type { GridArea } from "./grid_points.ts";
import type { CdsInputs } from "./cds_jobs.ts";
import type { Months } from "./months.ts";
import type { SourceReader } from "./stored_months.ts";

/** A dataset of the Climate Data Store, with what is asked of it and how its files are read. */
export interface CdsProduct extends SourceReader {
  /** Format of its files, as `orders()` shows it. */
  readonly fileType: "csv" | "netcdf";
  /** Months that can be asked for at once have the same key. */
  keyOf(month: Temporal.PlainYearMonth): unknown;
  /** Most months that are asked for at once where the service does not say what they cost. */
  readonly maxMonths: number;
  /** Builds the inputs of a request, to the last day that had begun. */
  buildInputs(area: GridArea, months: Months, lastDay: Temporal.PlainDate): CdsInputs["inputs"];
}
