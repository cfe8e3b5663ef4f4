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
      "For any number of months, `proveIndex()` forecasts the errors of a normal year and of an unseen month.",
      "In its simulated worlds, half of the errors are within the figure in _half_, and nine of ten errors are within the figure in _nine of ten_.",
      "_Known_ shows the months that the forecast uses.",
      "_Actual_ is the median error of all windows with the same number of consecutive months, with masked hours.",
      "We take the estimate from the whole record as the true normal year.",
      "_Kept_ is the share of errors within _nine of ten_, ideally 90 %.",
      "The windows overlap and the turbines share their wind, so the errors are not independent.",
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
