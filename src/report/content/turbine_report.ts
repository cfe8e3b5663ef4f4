import type { DataFrame } from "nodejs-polars";
import type { PerformanceCheck } from "../../analysis/check_performance/check_performance.ts";
import type { Answer } from "../../analysis/series/answer.ts";
import type { MonthlyReport } from "../../client/calls/reports.ts";
import type { TurbineDetails } from "../../api/resources/resources.ts";
import { messages } from "./messages.ts";

/** Data of a turbine for a report. */
export interface TurbineReport {
  /** Details, as `turbineDetails()` gives them. */
  readonly details: TurbineDetails;
  /** Monthly indices, as `monthlyIndices()` gives them; rows of other turbines are ignored. */
  readonly indices: DataFrame;
  /** The service's own report, as `monthlyReport()` gives it: the meaning of 100 %, and the calibration of the model; or why there is none, in a few words. @default not shown */
  readonly service?: MonthlyReport | string;
  /** Produced against predicted energy, as `compareActual()` gives it. @default none */
  readonly comparison?: DataFrame;
  /** Answer of `checkPerformance()`: `verdicts` on its months, `findings`, `changes` of its `frames`, and the `smallestChange`. @default none */
  readonly performance?: Pick<PerformanceCheck, "verdicts" | "findings" | "smallestChange"> & {
    readonly frames: Pick<PerformanceCheck["frames"], "changes">;
  };
  /** Why there is no check although production was compared, in a few words. @default there are, or none was given */
  readonly noPerformance?: string;
  /** Answers about the turbine, such as `proveIndex()`; each gets a section with its sentences. @default none */
  readonly answers?: readonly Answer[];
  /** Why there is no comparison although production was given, in a few words. @default none was given */
  readonly noComparison?: string;
}

/** A turbine without indices: the report names it, without a page. */
export interface TurbineWithoutData {
  /** Identifier of the turbine. */
  readonly turbineId: string;
  /** Its details, if known. @default none */
  readonly details?: TurbineDetails;
  /** Why it has no indices, in a few words. */
  readonly reason: string;
}

/** Shortest reference period whose mean counts as normal, years. */
const ENOUGH_YEARS = 10;

/** First and last year of a reference period, whose mean is 100 %. */
export type ReferenceYears = readonly [first: number, last: number];

/** The reference period of a turbine; `undefined` if the service does not report it. */
export function readReferenceYears({ service }: TurbineReport): ReferenceYears | undefined {
  if (typeof service !== "object") return undefined;
  const { first_year: first, last_year: last } = service.reference_period ?? {};
  return Number.isInteger(first) && Number.isInteger(last) ? [first!, last!] : undefined;
}

/** Warns if a reference period is too short to be called normal; empty if it is long enough or unknown. */
export function warnOfShortReference(periods: readonly (ReferenceYears | undefined)[]): string[] {
  const lengths = periods.flatMap((years) => years ? [years[1] - years[0] + 1] : []);
  const shortest = Math.min(...lengths);
  return shortest < ENOUGH_YEARS ? [messages.reference.short(shortest)] : [];
}

/** Describes how far the calibration can be trusted; empty if it is good or the service does not report it. */
function describeVerdict(
  { calibration_verdict: verdict, calibration_reason: reason }: TurbineReport["details"],
): string[] {
  if (typeof verdict !== "string" || typeof reason !== "string" || verdict === "good") return [];
  return [messages.calibration.verdict(verdict, reason)];
}

/** Describes the calibration data of a turbine's model, and its accuracy on data it has not seen. */
export function describeCalibration({ service, details }: TurbineReport): string[] {
  if (typeof service === "string") return [messages.reference.unknown(service)];
  const calibration = service?.calibration;
  if (!calibration) return [];
  const { periods, hours, training_start: from, training_end: to } = calibration;
  const { unseen_error: all, unseen_error_counted: counted, unseen_outages: outages } = calibration;
  if (![periods, hours].every(Number.isFinite)) return [];
  if (periods === 0 && from === null) return service.notes?.slice(0, 1) ?? []; // the note "not calibrated"
  return [
    messages.calibration.basis(periods, hours, from, to) +
    messages.calibration.error(
      Number.isFinite(counted) ? counted! : null,
      outages > 0 && Number.isFinite(all) ? [outages, all!] : null,
    ),
    ...describeVerdict(details),
  ];
}
