import { endOfAxis } from "../../time/hourly.ts";
import { dayAt } from "../../time/zones.ts";
import type { Calibration } from "../../windindex/calibration/calibration.ts";
import type { Production } from "../../windindex/calibration/production.ts";
import type { StoredCalibration } from "../keep/site_record.ts";

/** First and last day of a period's name, "2018" or "2018-05". */
function findDays(label: string): [Temporal.PlainDate, Temporal.PlainDate] {
  const yearly = label.length === 4;
  const first = Temporal.PlainDate.from(yearly ? `${label}-01-01` : `${label}-01`);
  return [first, first.add(yearly ? { years: 1 } : { months: 1 }).subtract({ days: 1 })];
}

/**
 * Finds the first and last day of the periods that count, cut to the production where it is hourly; `null` without production.
 *
 * @param timeZone Zone of the turbine
 */
export function findTrainingWindow(
  calibration: Calibration,
  production: readonly Production[],
  timeZone: string,
): Pick<StoredCalibration, "trainingStart" | "trainingEnd"> {
  if (production.length === 0) return { trainingStart: null, trainingEnd: null };
  const used = calibration.periods.filter((period) => period.used).map(({ label }) =>
    findDays(label)
  );
  let start = used.map(([first]) => first.toString()).sort()[0];
  let end = used.map(([, last]) => last.toString()).sort()[used.length - 1];
  if (production.every((entry) => entry.kind === "hourly")) {
    const axes = production.map((entry) => entry.axis);
    const first = dayAt(Math.min(...axes.map((axis) => axis.start)), timeZone).toString();
    const last = dayAt(Math.max(...axes.map((axis) => endOfAxis(axis) - 1)), timeZone).toString();
    start = start < first ? first : start;
    end = end > last ? last : end;
  }
  return { trainingStart: start, trainingEnd: end };
}
