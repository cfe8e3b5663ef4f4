import { mean } from "../../src/stats/spread.ts";
import { meanAbsoluteError, type PredictedMonth } from "./_months.ts";
import { averageError, type SiteMonths } from "./months_section.ts";
import { formatPercent, markdownTable } from "./_page_parts.ts";
import { predictByLine, regressions } from "./regressions.ts";
import { siteData } from "./_site_data.ts";
import type { Workers } from "./_workers.ts";

/** Sites and reanalyses of the comparison. */
const CASES = [
  { name: "Kelmarsh, ERA5", site: "kelmarsh", source: "ERA5", reanalyses: ["era5"] },
  { name: "La Haute Borne, ERA5", site: "la_haute_borne", source: "ERA5", reanalyses: ["era5"] },
  {
    name: "La Haute Borne, MERRA-2",
    site: "la_haute_borne",
    source: "MERRA-2",
    reanalyses: ["merra2"],
  },
  {
    name: "La Haute Borne, both",
    site: "la_haute_borne",
    source: "both",
    reanalyses: ["era5", "merra2"],
  },
] as const;

const HEADER = ["method", ...CASES.map(({ name }) => name)];

/** Errors with hours masked, and with all hours in brackets. */
function formatErrors(masked: number, all: number): string {
  return `${formatPercent(masked)} (${formatPercent(all)})`;
}

function averageOf(turbines: readonly (readonly PredictedMonth[])[]): number {
  return mean(turbines.map(meanAbsoluteError));
}

/**
 * Writes the section that compares straight lines with the engine.
 *
 * @param months Months of each site by the engine
 */
export async function regressionSection(
  months: Readonly<Record<"kelmarsh" | "la_haute_borne", readonly SiteMonths[]>>,
): Promise<string[]> {
  const engineRow = (name: string, selected: boolean) => [
    name,
    ...CASES.map(({ site, source }) => {
      const find = (masked: boolean) =>
        averageError(
          months[site].find((result) =>
            result.source === source && result.model.selected === selected &&
            result.model.masked === masked
          )!,
        );
      return formatErrors(find(true), find(false));
    }),
  ];
  const sites = {
    kelmarsh: await siteData("kelmarsh"),
    la_haute_borne: await siteData("la_haute_borne"),
  };
  const lineRow = (regression: typeof regressions[number]) => [
    regression.name,
    ...CASES.map(({ site, reanalyses: [reanalysis, other] }) => {
      if (other) return "-";
      const error = (masked: boolean) =>
        averageOf(
          sites[site].turbines.map((_, position) =>
            predictByLine(sites[site], position, { masked, reanalysis }, regression)
          ),
        );
      return formatErrors(error(true), error(false));
    }),
  ];
  return [
    "## Ordinary regression on the same hours",
    "",
    "Each regression fits a straight line through production and wind at hub height by least squares.",
    "Each regression uses the same hours and the same training months as Vindkit.",
    "The regressions use monthly, daily or hourly means of the wind speed, or of the cube of the wind speed.",
    "The table shows the mean absolute error of the predicted months, averaged over the turbines.",
    "The first figure is the error without the outage hours.",
    "The figure in parentheses is the error with all hours.",
    "We also ran `Correl.OrdinaryLeastSquares` of brightwind 2.7.0 once on the Kelmarsh data, without the outage hours.",
    "The `validate` task does not repeat this run.",
    "The error of brightwind was 7.2 % with monthly means of the wind speed, 6.6 % with daily means, and 6.4 % with hourly means.",
    "",
    ...markdownTable(HEADER, [
      ...regressions.map(lineRow),
      engineRow("Vindkit, plain k", false),
      engineRow("Vindkit, selected", true),
    ]),
    "",
  ];
}

/** Title of the section that needs Python. */
export const BOOSTING = "Gradient boosting on the same hours";

/**
 * Writes the section with gradient boosting, which needs Python.
 *
 * @param workers Workers that compute it
 */
export async function boostingSection(workers: Workers): Promise<string[]> {
  const errors = await Promise.all(CASES.map(async ({ site, reanalyses }) => {
    const { masked, all } = await workers.run("boosting", { site, reanalyses });
    return formatErrors(averageOf(masked), averageOf(all));
  }));
  return [
    `## ${BOOSTING}`,
    "",
    "We run `HistGradientBoostingRegressor` of scikit-learn 1.9.1 with default settings and seed 1 (test/peers/boosting.py).",
    "The regressor predicts hourly production from reanalysis data: temperature, pressure, and the wind speed and direction at each height.",
    "It also uses the hour of the day and the month.",
    "We use the same training months as for the regressions, and compute the errors in the same way.",
    "",
    ...markdownTable(HEADER, [["gradient boosting", ...errors]]),
    "",
  ];
}
