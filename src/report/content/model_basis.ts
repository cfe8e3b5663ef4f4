import { messages } from "./messages.ts";
import type { TurbineReport } from "./turbine_report.ts";

/** Years from which their mean counts as normal. */
const ENOUGH_YEARS = 10;

/** First and last year of a reference period, whose mean is 100 %. */
export type ReferenceYears = readonly [first: number, last: number];

/** The reference period of a turbine; `undefined` where the service does not say. */
export function readReferenceYears({ service }: TurbineReport): ReferenceYears | undefined {
  if (typeof service !== "object") return undefined;
  const { first_year: first, last_year: last } = service.reference_period ?? {};
  return Number.isInteger(first) && Number.isInteger(last) ? [first!, last!] : undefined;
}

/** Says where a reference period is too short to be called normal; nothing where it is long enough or not known. */
export function warnOfShortReference(periods: readonly (ReferenceYears | undefined)[]): string[] {
  const lengths = periods.flatMap((years) => years ? [years[1] - years[0] + 1] : []);
  const shortest = Math.min(...lengths);
  return shortest < ENOUGH_YEARS ? [messages.reference.short(shortest)] : [];
}

/** Says how far the calibration can be trusted; nothing where it is good, or a service does not say. */
function describeVerdict(
  { calibration_verdict: verdict, calibration_reason: reason }: TurbineReport["details"],
): string[] {
  if (typeof verdict !== "string" || typeof reason !== "string" || verdict === "good") return [];
  return [messages.calibration.verdict(verdict, reason)];
}

/** Says what the model of a turbine was calibrated on and how well it predicts what it has not seen. */
export function describeCalibration({ service, details }: TurbineReport): string[] {
  if (typeof service === "string") return [messages.reference.unknown(service)];
  const calibration = service?.calibration;
  if (!calibration) return [];
  const { periods, hours, training_start: from, training_end: to } = calibration;
  const { unseen_error: all, unseen_error_counted: counted, unseen_outages: outages } = calibration;
  if (![periods, hours].every(Number.isFinite)) return [];
  if (periods === 0 && from === null) return service.notes?.slice(0, 1) ?? []; // that it is not calibrated
  return [
    messages.calibration.basis(periods, hours, from, to) +
    messages.calibration.error(
      Number.isFinite(counted) ? counted! : null,
      outages > 0 && Number.isFinite(all) ? [outages, all!] : null,
    ),
    ...describeVerdict(details),
  ];
}
