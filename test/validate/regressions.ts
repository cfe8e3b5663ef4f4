import type { SiteData } from "../../src/sites/site_data.ts";
import { fitLine } from "../../src/stats/regression.ts";
import { mean } from "../../src/stats/spread.ts";
import { alignToAxis, HOUR } from "../../src/time/hourly.ts";
import { computeHourlyPower } from "../../src/windindex/power_model.ts";
import { listComparedMonths, type PredictedMonth } from "./_months.ts";
import { computeHubs } from "./_site_data.ts";

/** A regression of production on wind. */
export interface Regression {
  /** Its name in the table. */
  readonly name: string;
  /** Group of an hour, whose mean is a point of the line, by label of the month and instant. */
  readonly groupOf: (label: string, instant: number) => string | number;
  /** Exponent of the wind speed. */
  readonly exponent: 1 | 3;
}

const DAY = 24 * HOUR;

const RESOLUTIONS: readonly [string, Regression["groupOf"]][] = [
  ["monthly", (label) => label],
  ["daily", (label, instant) => `${label} ${Math.floor(instant / DAY)}`],
  ["hourly", (_, instant) => instant],
];

/** The regressions that are compared with the engine. */
export const regressions: readonly Regression[] = RESOLUTIONS.flatMap(([resolution, groupOf]) => [
  { name: `${resolution} means, on wind speed`, groupOf, exponent: 1 },
  { name: `${resolution} means, on its cube`, groupOf, exponent: 3 },
]);

/** Means over the hours compared in a month, a day or an hour. */
interface Group {
  readonly month: string;
  readonly hours: number;
  readonly wind: number;
  readonly power: number;
}

/**
 * Predicts each month of a turbine by a straight line of production on the wind at hub height, fitted by least
 * squares to all other months. Hours and months are as in {@linkcode leaveOneMonthOut}.
 *
 * @param data The site
 * @param position Which of its turbines
 * @param options `masked`: whether outages found in production are masked; `reanalysis`: the dataset
 * @param regression The line
 */
export function predictByLine(
  data: SiteData,
  position: number,
  { masked, reanalysis }: { readonly masked: boolean; readonly reanalysis: string },
  { groupOf, exponent }: Regression,
): PredictedMonth[] {
  const { hub } = computeHubs(data, data.turbines[position].turbine).find(({ serviceId }) =>
    serviceId === reanalysis
  )!;
  const { production: { axis, power }, mask, months } = listComparedMonths(data, position, masked);
  // Like power, the mean of the values at both ends of an hour.
  const wind = alignToAxis(
    axis,
    hub.axis,
    computeHourlyPower(hub.windSpeed.map((speed) => speed ** exponent), hub.stamp),
  );
  const groups = months.flatMap(({ label, from, to }): Group[] => {
    const hours = Array.from({ length: to - from }, (_, i) => from + i)
      .filter((i) => mask[i] === 0 && power[i] === power[i]);
    const grouped = Map.groupBy(hours, (i) => groupOf(label, axis.start + i * HOUR));
    return [...grouped.values()].map((group) => ({
      month: label,
      hours: group.length,
      wind: mean(group.map((i) => wind[i])),
      power: mean(group.map((i) => power[i])),
    }));
  });
  return months.map(({ label }) => {
    const others = groups.filter(({ month }) => month !== label);
    const { slope, intercept } = fitLine(
      others.map((group) => group.wind),
      others.map((group) => group.power),
    )!;
    const unseen = groups.filter(({ month }) => month === label);
    const sum = (value: (group: Group) => number) =>
      unseen.reduce((total, group) => total + group.hours * value(group), 0);
    return {
      label,
      produced: sum(({ power }) => power),
      predicted: sum(({ wind }) => intercept + slope * wind),
    };
  });
}
