import { splitSections } from "../soak/_page.ts";
import { withoutBoosting } from "./boosting.ts";
import { type HornsRev, hornsRev } from "./horns_rev.ts";
import { LASTING_LOSSES } from "./lasting_losses.ts";
import { LONG_STOPS } from "./long_stops.ts";
import { LONG_TERM } from "./long_term_section.ts";
import { BOOSTING, boostingSection, regressionSection } from "./methods_section.ts";
import { forecastsSection } from "./forecasts_section.ts";
import { locationSection } from "./location_section.ts";
import { intervalsSection } from "./intervals_section.ts";
import { monthsSection, predictSite } from "./months_section.ts";
import { DEFAULT_SMOOTHING } from "../../src/windindex/calibration/training_energies.ts";
import { markdownTable, type Section, wrapLines } from "./_page_parts.ts";
import { registerSection } from "./register_section.ts";
import { raisedSection } from "./raised_section.ts";
import { siteData } from "./_site_data.ts";
import { Workers } from "./_workers.ts";

/** The page of the docs, and missed goals. */
export interface Validation {
  /** Markdown. */
  readonly page: string;
  /** Missed goals, in words; empty if all hold. */
  readonly missed: readonly string[];
}

function hornsRevRows(
  { calibration, uncertainty, single, powerScaling, errors }: HornsRev,
): string[][] {
  const { low, high } = uncertainty.k!;
  return [
    ["selected scaling", calibration.scaling.kind],
    ["k of 2005 and 2006 together", calibration.k.toFixed(4)],
    ["its 90 % interval", `${low.toFixed(4)} to ${high.toFixed(4)}`],
    ...[...single].map(([year, k]) => [`k of ${year} alone`, k.toFixed(4)]),
    ...[...errors].flatMap(([year, bySmoothing]) =>
      [...bySmoothing].map(([smoothing, error]) => [
        `error of ${year} predicted from the other year, smoothing ${smoothing} m/s`,
        `${error.toFixed(1)} %`,
      ])
    ),
    ...calibration.periods.filter((period) => !period.used)
      .map(({ label, reason }) => [`${label} left out`, reason]),
    [
      "standard deviation of annual energies, 1997 to 2008",
      `${(100 * uncertainty.interAnnualVariability!).toFixed(1)} %`,
    ],
    ["the same if power were scaled, not wind speed", `${(100 * powerScaling).toFixed(1)} %`],
  ];
}

/** Share of 2003 and 2004 that is known to have been produced, %. */
const KNOWN_OUTAGES: Readonly<Record<string, number>> = { 2003: 85, 2004: 59 };

function hornsRevMissed({ calibration, uncertainty, single, errors }: HornsRev): string[] {
  const { low, high } = uncertainty.k!;
  const { k, scaling, periods } = calibration;
  const left = periods.filter((period) => !period.used);
  const outages = Object.keys(KNOWN_OUTAGES);
  return [
    ...(scaling.kind === "factor" ? [] : ["Horns Rev: plain k is not selected"]),
    ...(k >= 0.86 && k <= 0.92 ? [] : [`Horns Rev: k is ${k.toFixed(4)}, not 0.86 to 0.92`]),
    ...(left.map(({ label }) => label).join() === outages.join()
      ? []
      : [`Horns Rev: left out are ${left.map(({ label }) => label).join(", ")}`]),
    ...left.filter(({ label, reason }) => {
      const share = Number(/produced (\d+) %/.exec(reason)?.[1]);
      return !(Math.abs(share - KNOWN_OUTAGES[label]) <= 2);
    }).map(({ label, reason }) => `Horns Rev, ${label}: ${reason}`),
    ...[...errors].map(([year, bySmoothing]) =>
      [year, bySmoothing.get(DEFAULT_SMOOTHING)!] as const
    )
      .filter(([, error]) => Math.abs(error) > 2.5)
      .map(([year, error]) => `Horns Rev: ${year} predicted with ${error.toFixed(2)} %`),
    ...[...single].filter(([, value]) => value < low || value > high)
      .map(([year]) => `Horns Rev: the interval does not contain k of ${year}`),
  ];
}

function hornsRevSection(park: HornsRev): Section {
  return {
    lines: [
      "## Horns Rev 1, 2003 to 2006: four annual values",
      "",
      "Horns Rev 1 has 80 turbines.",
      "The wind data come from four grid points of ERA5.",
      "In 2003 and 2004, the replacement of transformers caused outages.",
      "The site file does not declare these outages, so the calibration must find them.",
      "Only the annual values of 2005 and 2006 remain, which are too few to compare scalings.",
      "The 90 % interval in the table shows the uncertainty of k.",
      "",
      ...markdownTable(["figure", "value"], hornsRevRows(park)),
      "",
    ],
    missed: hornsRevMissed(park),
  };
}

const LIMITS = [
  "## Limits that were chosen on these data",
  "",
  "On this page, each calibration leaves out the month that it predicts.",
  "But we looked at these data when we chose some limits of the engine:",
  "",
  "- At Kelmarsh (2018), we chose the usual smoothing of the power curve, 1 m/s.",
  "  We also decided to offer factors by wind direction sector.",
  "- At Kelmarsh (2018) and La Haute Borne (2014), we chose three rules for the calibration.",
  "  The calibration changes the smoothing only if the new smoothing is clearly better.",
  "  The calibration gives less weight to unusual months.",
  "  The calibration does not scale the wind speed by a straight line, or by season if the data cover less than two years.",
  "  At these sites, we also chose the seasonal error for records shorter than a year.",
  "  At these sites and at Horns Rev (2005 and 2006), we chose how much the reanalysis level varies from year to year.",
  "- At La Haute Borne (2014), we decided that a site can have several reanalyses, and that cross-validation selects among these.",
  "- At Kelmarsh (2018), we chose the limits for stops that Vindkit finds by comparison with neighbours.",
  "  In the runs with raised wind, we also chose the limits beyond which the import reports a disagreement with the reanalysis.",
  "  In such runs at La Haute Borne, the import reports 3 of the 12 raised months, and no other month.",
  "- In the runs with raised wind at both sites, we chose the distance from the median beyond which a period has less weight.",
  "  We chose a distance of one standard deviation, not 1.345 standard deviations.",
  "  With one standard deviation, raised wind changes the other months less: by 4.5 % instead of 5.2 % at La Haute Borne.",
  "  The bias at Kelmarsh (see above) also stays within our goal for all pairs of months.",
  "  With 1.345 standard deviations, the bias exceeds the goal for some pairs.",
  "- From all three sites, we chose the interval of a location index and the range of k for the interval of its energy.",
  "- We did not choose any limit for the regressions or for gradient boosting.",
  "  Both methods run with their default settings.",
  "",
];

const SOURCES = [
  "## Sources",
  "",
  "- ERA5: contains modified Copernicus Climate Change Service information 2021; neither the European",
  "  Commission nor ECMWF is responsible for any use that may be made of it.",
  "- MERRA-2: NASA Global Modeling and Assimilation Office",
  "- Kelmarsh wind farm data: CC-BY-4.0, doi 10.5281/zenodo.5841833; we reconstructed hourly means from a normalised copy",
  "- La Haute Borne wind farm: ENGIE, Open Licence 2.0 (Etalab), as shipped with OpenOA",
  "- Horns Rev 1: Danish register of wind turbines, Energistyrelsen, state of January 2022",
  "- Power curves: Open Energy Database turbine library, ODbL-1.0, Reiner Lemoine Institut; parametric for La Haute Borne",
  "",
];

/**
 * Writes the page.
 *
 * @param before The present page; its sections stay if they are not computed again
 * @param whole Whether to compute the slowest parts too: records that are changed and cut many times, and gradient
 * boosting if Python is present
 */
export async function validation(before: string, whole: boolean): Promise<Validation> {
  using workers = new Workers();
  const kept = splitSections(before);
  const keep = (title: string): Section => ({
    lines: [`## ${title}`, "", ...(kept.get(title) ?? "").split("\n"), ""],
    missed: [],
  });
  await siteData("horns_rev"); // before the workers take all cores, because reading NetCDF has a time limit
  const [losses, boosting, kelmarsh, borne, ...others] = await Promise.all([
    whole ? workers.run("lastingLosses", null) : keep(LASTING_LOSSES), // the longest part starts first
    whole && withoutBoosting === undefined ? boostingSection(workers) : keep(BOOSTING).lines,
    predictSite("kelmarsh", workers),
    predictSite("la_haute_borne", workers),
    intervalsSection(workers),
    forecastsSection(workers),
    raisedSection(workers),
    siteData("horns_rev").then((data) => hornsRevSection(hornsRev(data))),
    registerSection(),
    locationSection(),
    whole ? workers.run("longTerm", null) : keep(LONG_TERM),
    whole ? workers.run("longStops", null) : keep(LONG_STOPS),
  ]);
  const sections = [...others, losses];
  const months = await monthsSection(kelmarsh, borne);
  const missed = [months, ...sections].flatMap((section) => section.missed);
  const page = wrapLines([
    "# The index on real sites",
    "",
    "This page compares Vindkit's predictions with the measured production of real sites.",
    "The command `deno task validate` writes this page.",
    "To run it, you need the data of these sites, which Vindkit does not include.",
    "",
    ...months.lines,
    ...await regressionSection({ kelmarsh, la_haute_borne: borne }),
    ...boosting,
    ...sections.flatMap(({ lines }) => lines),
    ...LIMITS,
    ...(missed.length === 0
      ? []
      : ["## Goals that are missed", "", ...missed.map((line) => `- ${line}`), ""]),
    ...SOURCES,
  ]).join("\n");
  return { page, missed };
}
