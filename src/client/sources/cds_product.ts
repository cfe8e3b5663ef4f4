import type { ClimateHours } from "./climate_hours.ts";
import type { CdsInputs } from "./cds_jobs.ts";
import type { Months } from "./months.ts";

/** A grid point or the span of grid points that is asked for, deg. */
export interface GridArea {
  readonly north: number;
  readonly west: number;
  readonly south: number;
  readonly east: number;
}

/** A dataset of the Climate Data Store, with what is asked of it and how its files are read. */
export interface CdsProduct {
  /** Format of its files, as `orders()` shows it. */
  readonly fileType: "csv" | "netcdf";
  /** Splits a period into what is asked for at once if costs allow. */
  splitPeriod(months: Months): readonly Months[];
  /** Most months that are asked for at once where the service does not say what they cost. */
  readonly maxMonths: number;
  /** Builds a request. */
  buildRequest(area: GridArea, months: Months, lastDay: Temporal.PlainDate): CdsInputs;
  /** Reads a file: hours of each of its points. */
  readFile(path: string, area: GridArea, settledEnd: number): Promise<ClimateHours[]>;
}
