import { parametricPowerCurve } from "../../src/sites/power_curves/parametric_power_curve.ts";
import { computeTurbine } from "../../src/sites/calibration/compute_turbine.ts";
import type { FreshMonth } from "../../src/sites/keep/site_record.ts";
import { Neighbourhood } from "../../src/sites/production/neighbour_production.ts";
import type { SiteData } from "../../src/sites/site_data.ts";
import { formatMonthLabel } from "../../src/time/zones.ts";
import { LOCATION_ERRORS } from "../../src/windindex/uncertainty/uncertainty.ts";
import { formatPercent, markdownTable, mean, type Section } from "./_page_parts.ts";
import { siteData, type SiteName } from "./_site_data.ts";

const FIRST = { calibration: null, nextRevision: 1, recalibrate: false };

/** A month of the location index and of the calibrated one. */
interface Compared {
  readonly located: FreshMonth;
  readonly calibrated: FreshMonth;
}

/** A turbine with both indices. */
interface Turbine {
  readonly k: number;
  /** Mean annual energy over the calibrated one. */
  readonly energy: number;
  readonly months: readonly Compared[];
}

/** Computes the index of each turbine without its production, and with it. */
function compareTurbines(data: SiteData, reanalysis: number, parametric: boolean): Turbine[] {
  return data.turbines.map(({ turbine: declared }, position) => {
    const neighbours = new Neighbourhood(data).findNearest(position);
    const calibrated = computeTurbine(data, position, neighbours, FIRST);
    const { ratedPower, rotorDiameter } = declared;
    const turbine = parametric
      ? { ...declared, powerCurve: parametricPowerCurve({ ratedPower, rotorDiameter }) }
      : declared;
    const located = computeTurbine(
      {
        reanalyses: [data.reanalyses[reanalysis]],
        turbines: [{ turbine, production: [], exclusions: [], locationIndex: true }],
      },
      0,
      [],
      FIRST,
    );
    const known = new Map(calibrated.months.map((month) => [formatMonthLabel(month), month]));
    const { serviceId } = data.reanalyses[reanalysis].dataset;
    return {
      k: calibrated.calibration!.reanalyses.find((one) => one.serviceId === serviceId)!
        .calibration.k,
      energy: located.calibration!.meanAnnualEnergy! / calibrated.calibration!.meanAnnualEnergy!,
      months: located.months.flatMap((month) => {
        const other = known.get(formatMonthLabel(month));
        return other && month.month_index !== null && other.month_index !== null
          ? [{ located: month, calibrated: other }]
          : [];
      }),
    };
  });
}

/** Differences of the location index from the calibrated one, %. */
function listDifferences(
  turbines: readonly Turbine[],
  figure: "month_abnormality_index" | "last12_month_index",
): number[] {
  return turbines.flatMap(({ months }) =>
    months.flatMap(({ located, calibrated }) => {
      const [index, other] = [located[figure], calibrated[figure]];
      return index === null || other === null ? [] : [100 * Math.abs(index / other - 1)];
    })
  );
}

const shareOf = (values: readonly boolean[]) => mean(values.map(Number));

const span = (values: readonly number[], digits: number) => {
  const [low, high] = [Math.min(...values), Math.max(...values)].map((one) => one.toFixed(digits));
  return low === high ? low : `${low} to ${high}`;
};

const CASES: readonly {
  readonly site: SiteName;
  readonly title: string;
  readonly reanalysis: number;
  readonly curve: "named" | "parametric";
}[] = [
  { site: "kelmarsh", title: "Kelmarsh", reanalysis: 0, curve: "named" },
  { site: "kelmarsh", title: "Kelmarsh", reanalysis: 0, curve: "parametric" },
  { site: "horns_rev", title: "Horns Rev 1", reanalysis: 0, curve: "named" },
  { site: "horns_rev", title: "Horns Rev 1", reanalysis: 0, curve: "parametric" },
  { site: "la_haute_borne", title: "La Haute Borne", reanalysis: 0, curve: "parametric" },
  { site: "la_haute_borne", title: "La Haute Borne", reanalysis: 1, curve: "parametric" },
];

/** Share of the differences that an interval must contain. */
const AIMED = 0.9;

/** Writes the section on the location index. */
export async function locationSection(): Promise<Section> {
  const { month, year } = LOCATION_ERRORS;
  const missed: string[] = [];
  const rows: string[][] = [];
  for (const { site, title, reanalysis, curve } of CASES) {
    const data = await siteData(site);
    const turbines = compareTurbines(data, reanalysis, curve === "parametric");
    const [months, years] = (["month_abnormality_index", "last12_month_index"] as const)
      .map((figure) => listDifferences(turbines, figure));
    const inside = turbines.flatMap((one) =>
      one.months.map(({ located, calibrated: { predicted_production: energy } }) =>
        located.predicted_production_low! <= energy! &&
        energy! <= located.predicted_production_high!
      )
    );
    const hits = [
      shareOf(months.map((error) => error <= month)),
      shareOf(years.map((error) => error <= year)),
      shareOf(inside),
    ];
    const { serviceId } = data.reanalyses[reanalysis].dataset;
    const name = `${title}, ${serviceId}, ${curve} curve`;
    hits.forEach((share, i) => {
      if (share >= AIMED) return;
      const what = ["months", "spans of twelve months", "energies"][i];
      missed.push(
        `Location index, ${name}: ${formatPercent(100 * share)} of the ${what} are inside`,
      );
    });
    rows.push([
      title,
      serviceId.replace("-horns-rev", ""),
      curve,
      span(turbines.map(({ k }) => k), 2),
      formatPercent(mean(months)),
      formatPercent(100 * hits[0]),
      formatPercent(mean(years)),
      formatPercent(100 * hits[1]),
      span(turbines.map(({ energy }) => energy), 2),
      formatPercent(100 * hits[2]),
    ]);
  }
  return {
    lines: [
      "## The location index compared with the calibrated one",
      "",
      "A location index uses k = 1 instead of a calibration with production.",
      "This section compares the location index with the calibrated index of the same turbine.",
      'In the column "curve", "named" means the power curve that the site file names.',
      'The word "parametric" means a curve that Vindkit computes from rated power and rotor diameter.',
      'The column "month" shows the mean difference between the two month abnormality indices.',
      `A location index states an interval of ${month} %, and the next column shows the share of months in this interval.`,
      `The column "12 months" and the column after it show the same for the index of twelve months, whose stated interval is ${year} %.`,
      'The column "energy" shows the energy of a normal year at k = 1, divided by the energy of a normal year at the calibrated k.',
      "The last column shows the share of months whose calibrated energy is in the interval of the energy at k = 1.",
      'The column "k" shows the factor from the calibration.',
      "",
      ...markdownTable(
        [
          "site",
          "reanalysis",
          "curve",
          "k",
          "month",
          "within",
          "12 months",
          "within",
          "energy",
          "within",
        ],
        rows,
      ),
      "",
      "An error of k affects all years equally, so this error cancels out in the index.",
      "Both indices use the same wind, so errors of the reanalysis do not appear in these differences.",
      "The intervals of 13 % and 5 % do not include such errors.",
      "The sections above show how large errors of the reanalysis can be.",
      "We chose the intervals from the results in this table.",
      "Seven turbines at three sites are a small sample.",
      "",
    ],
    missed,
  };
}
