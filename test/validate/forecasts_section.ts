import type { Forecast } from "./forecasts.ts";
import { CASES } from "./intervals_section.ts";
import { formatPercent, markdownTable, mean, type Section } from "./_page_parts.ts";
import { siteData } from "./_site_data.ts";
import type { Workers } from "./_workers.ts";

const median = (values: readonly number[]) => values.toSorted((a, b) => a - b)[values.length >> 1];
const percent = (share: number) => formatPercent(100 * share);

/** Formats forecast and actual errors of all turbines of a site. */
function describe(
  forecasts: readonly Forecast[],
  of: (forecast: Forecast) => readonly [readonly [half: number, most: number], readonly number[]],
): string[] {
  const all = forecasts.map(of);
  const actual = all.flatMap(([, errors]) => errors);
  const kept = all.flatMap(([[, most], errors]) => errors.map((error) => Number(error <= most)));
  return [
    percent(mean(all.map(([[half]]) => half))),
    percent(median(actual)),
    percent(mean(all.map(([[, most]]) => most))),
    percent(mean(kept)),
  ];
}

/**
 * Writes the section on the forecasts of `proveIndex()`.
 *
 * @param workers Workers that compute it
 */
export async function forecastsSection(workers: Workers): Promise<Section> {
  const rows = await Promise.all(CASES.map(async ({ site, title, reanalysis, name }) => {
    const { turbines } = await siteData(site);
    const byTurbine = await Promise.all(
      turbines.map((_, position) =>
        workers.run("compareForecasts", { site, position, reanalysis })
      ),
    );
    return byTurbine[0].map(({ known, months }, i) => {
      const forecasts = byTurbine.map((turbine) => turbine[i]);
      return [
        title,
        name,
        known === 12 ? "the year" : "its first quarter",
        String(months),
        ...describe(forecasts, ({ year, years }) => [year, years]),
        ...describe(forecasts, ({ month, unseen }) => [month, unseen]),
      ];
    });
  }));
  return {
    lines: [
      "## Errors with more months of production: forecast and actual",
      "",
      "For any number of training months, `proveIndex()` forecasts two errors: the error of the normal year, and the error of a month outside the training.",
      "The function finds both errors in simulated worlds.",
      'Half of the simulated errors are below the figure in the column "half".',
      'Nine of ten simulated errors are below the figure in "nine of ten".',
      'The column "known" shows which months the forecast uses.',
      'For the column "actual", we calibrate on each window of the same number of consecutive months, without the outage hours.',
      "The column shows the median error of these calibrations.",
      "We use the estimate from the whole record as the true normal year.",
      'The column "kept" shows the share of actual errors below the figure in "nine of ten".',
      "Ideally, this share is 90 %.",
      "The windows overlap, and all turbines of a site have the same wind, so the errors are not independent.",
      "",
      ...markdownTable(
        [
          "site",
          "reanalysis",
          "known",
          "months",
          "year: half",
          "actual",
          "nine of ten",
          "kept",
          "month: half",
          "actual",
          "nine of ten",
          "kept",
        ],
        rows.flat(),
      ),
      "",
    ],
    missed: [],
  };
}
