import type { DataFrame } from "nodejs-polars";
import type { PerformanceCheck } from "../../analysis/check_performance/check_performance.ts";
import type { Answer } from "../../analysis/series/answer.ts";
import type { MonthlyReport } from "../../client/calls/reports.ts";
import type { TurbineDetails } from "../../api/resources/resources.ts";

/** Data of a turbine for a report. */
export interface TurbineReport {
  /** Details, as `turbineDetails()` gives them. */
  readonly details: TurbineDetails;
  /** Monthly indices, as `monthlyIndices()` gives them; rows of other turbines are left out. */
  readonly indices: DataFrame;
  /** The service's own report, as `monthlyReport()` gives it: what 100 % is, and on what the model was calibrated; or why there is none, in a few words. @default not shown */
  readonly service?: MonthlyReport | string;
  /** Produced against predicted energy, as `compareActual()` gives it. @default none */
  readonly comparison?: DataFrame;
  /** Answer of `checkPerformance()`: the `verdicts` on its months, `changes` of its `frames`, and the `smallestChange`. @default none */
  readonly performance?: Pick<PerformanceCheck, "verdicts" | "smallestChange"> & {
    readonly frames: Pick<PerformanceCheck["frames"], "changes">;
  };
  /** Why there are none although production was compared, in a few words. @default there are, or none was given */
  readonly noPerformance?: string;
  /** Answers of questions about the turbine, such as `proveIndex()`: a section each with their sentences. @default none */
  readonly answers?: readonly Answer[];
  /** Why there is no comparison although production was given, in a few words. @default none was given */
  readonly noComparison?: string;
}

/** A turbine of the fleet that has no indices: it is named, and gets no page. */
export interface TurbineWithoutData {
  /** Identifier of the turbine. */
  readonly turbineId: string;
  /** Its details, where they are known. @default none */
  readonly details?: TurbineDetails;
  /** Why it has no indices, in a few words. */
  readonly reason: string;
}
