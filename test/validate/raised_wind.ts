import { computeTurbine } from "../../src/sites/calibration/compute_turbine.ts";
import { describeDisagreements } from "../../src/sites/fleet/store_site.ts";
import { Neighbourhood } from "../../src/sites/production/neighbour_production.ts";
import type { SiteData } from "../../src/sites/site_data.ts";
import { formatMonthLabel } from "../../src/time/zones.ts";
import type { ClimatePoint } from "../../src/windindex/climate/climate.ts";
import { listMonthSpans } from "../../src/windindex/index/monthly_energy.ts";
import { leaveOneMonthOut, type UnseenMonth } from "./leave_one_month_out.ts";

/** Factor on the wind of the reanalysis. */
export const RAISE = 1.15;

/** Results of a site whose reanalysis is wrong in some months. */
export interface RaisedWind {
  /** Months with raised wind. */
  readonly raised: readonly string[];
  /** Months that an import reports as disagreements with the reanalysis. */
  readonly reported: readonly string[];
  /** Months that an import or a fold takes for outages, of any turbine. */
  readonly outages: readonly string[];
  /** Months of each turbine, predicted by a calibration without them. */
  readonly turbines: readonly (readonly UnseenMonth[])[];
}

function raiseMonths(
  point: ClimatePoint,
  months: readonly string[],
  timeZone: string,
): ClimatePoint {
  const factors = new Float64Array(point.axis.length).fill(1);
  for (const span of listMonthSpans(point.axis, timeZone)) {
    if (months.includes(formatMonthLabel(span))) {
      factors.fill(RAISE, Math.max(0, span.from), span.to);
    }
  }
  const levels = point.levels.map(({ height, u, v }) => ({
    height,
    u: u.map((speed, i) => speed * factors[i]),
    v: v.map((speed, i) => speed * factors[i]),
  }));
  return { ...point, levels };
}

/**
 * Raises the wind of the reanalysis in some months, imports the site, and predicts each month by a calibration on the others.
 *
 * @param data The site
 * @param raised The months, "2018-01"
 */
export function raiseWind(data: SiteData, raised: readonly string[]): RaisedWind {
  const { timeZone } = data.turbines[0].turbine;
  const changed: SiteData = {
    ...data,
    reanalyses: data.reanalyses.map((reanalysis) => ({
      ...reanalysis,
      climate: reanalysis.climate.map((point) => raiseMonths(point, raised, timeZone)),
    })),
  };
  const neighbours = new Neighbourhood(changed);
  const first = { calibration: null, nextRevision: 1, recalibrate: false };
  const imported = changed.turbines.map((_, position) =>
    computeTurbine(changed, position, neighbours.findNearest(position), first)
  );
  const reanalyses = changed.reanalyses.map(({ dataset: { serviceId } }) => serviceId);
  const turbines = changed.turbines.flatMap((_, position) =>
    leaveOneMonthOut(changed, position, { selected: true, masked: true }, [reanalyses])
  );
  const outages = imported.flatMap(({ calibration }) =>
    calibration!.calibration.periods.filter(({ reason }) => reason.startsWith("outage"))
      .map(({ label }) => label)
  );
  return {
    raised,
    reported: describeDisagreements(imported).map((line) => /in (\d+-\d+):/.exec(line)![1]),
    outages: [...new Set([...outages, ...turbines.flat().flatMap((month) => month.outages)])],
    turbines,
  };
}
