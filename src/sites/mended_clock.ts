import { HOUR } from "../time/hourly.ts";
import { computeOffset } from "../time/zones.ts";
import type { ClockLag } from "../screening/finding.ts";
import type { HourlyProduction, Production } from "../windindex/calibration/production.ts";
import { measureUnseenFit } from "../windindex/calibration/unseen_fit.ts";
import type { TrainingInput } from "../windindex/calibration/training.ts";
import type { Turbine } from "../windindex/turbine/turbine.ts";
import { combineReanalyses } from "./combine_reanalyses.ts";
import { fitReanalyses, type HubReanalysis } from "./fit_reanalyses.ts";

/** Moves hours by the lag of a clock; of two that come to one hour the first is kept. */
function moveHours(
  { axis, power }: HourlyProduction,
  { standard, summer }: ClockLag,
  timeZone: string,
): HourlyProduction {
  const year = new Date(axis.start).getUTCFullYear();
  const winter = Math.min(...[0, 6].map((month) => computeOffset(Date.UTC(year, month), timeZone)));
  const moved = new Float64Array(power.length).fill(NaN);
  power.forEach((value, i) => {
    const isSummer = computeOffset(axis.start + i * HOUR, timeZone) > winter;
    const at = i - (isSummer ? summer : standard);
    if (at in moved && Number.isNaN(moved[at])) moved[at] = value;
  });
  return { kind: "hourly", axis, power: moved };
}

/**
 * Measures the error of unseen periods that a calibration would have if the clock of hourly production were right.
 *
 * @param production Production of one unit
 * @param check Finds what is not fitted
 * @returns The error as a share; `null` where no period is predicted
 */
export function measureMendedClock(
  production: readonly Production[],
  lag: ClockLag,
  turbine: Turbine,
  climates: readonly HubReanalysis[],
  check: (production: readonly Production[]) => readonly TrainingInput[],
): number | null {
  const moved = production.map((entry) =>
    entry.kind === "hourly" ? moveHours(entry, lag, turbine.timeZone) : entry
  );
  const { fitted } = fitReanalyses(climates, check(moved), turbine, null);
  const { main } = combineReanalyses(fitted, turbine, null);
  return measureUnseenFit(main.calibration.periods)?.error ?? null;
}

/** Says what the error of unseen periods would be with the right clock, where it is another. */
export function describeMendedClock(error: number, mended: number | null): string {
  const [now, then] = [error, mended ?? error].map((share) => `${(100 * share).toFixed(1)} %`);
  return now === then
    ? ""
    : ` With the hours moved by that lag, the error of unseen months is ${then} instead of ${now}.`;
}
