import type { Forecast } from "./forecasts.ts";
import { CASES } from "./intervals_section.ts";
import { formatPercent, markdownTable, mean, type Section } from "./_page_parts.ts";
import { siteData } from "./_site_data.ts";
import type { Workers } from "./_workers.ts";

const median = (values: readonly number[]) => values.toSorted((a, b) => a - b)[values.length >> 1];
const percent = (share: number) => formatPercent(100 * share);

/** What was forecast of an error and what came, of the turbines of a site together. */
function describe(
  forecasts: readonly Forecast[],
  of: (forecast: Forecast) => readonly [readonly [half: number, most: number], readonly number[]],
): string[] {
  const all = forecasts.map(of);
  const came = all.flatMap(([, errors]) => errors);
  const kept = all.flatMap(([[, most], errors]) => errors.map((error) => Number(error <= most)));
  return [
    percent(mean(all.map(([[half]]) => half))),
    percent(median(came)),
    percent(mean(all.map(([[, most]]) => most))),
    percent(mean(kept)),
  ];
}

/**
 * Writes the section on what `proveIndex()` forecasts.
 *
 * @param workers Workers that compute it
 */
export async function forecastsSection(workers: Workers): Promise<Section> {
  const rows = await Promise.all(CASES.map(async ({ site, title, reanalysis, name }) => {
    const { turbines } = await siteData(site);
    const own = await Promise.all(
      turbines.map((_, position) =>
        workers.run("compareForecasts", { site, position, reanalysis })
      ),
    );
    return own[0].map(({ known, months }, i) => {
      const forecasts = own.map((turbine) => turbine[i]);
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
      "## How large errors become with more months: forecast and came",
      "",
      "`proveIndex()` says for any number of months how large the error of a normal year and of an unseen month",
      "is in half of the worlds like the record, and in nine of ten. _Known_: the months that it was made from.",
      "_Came_: the median error of all windows of so many months in a row, hours masked; a normal year is",
      "compared with that of the whole record. _Kept_: how many of these errors are within what nine of ten",
      "worlds keep; 90 % would be right. The windows overlap, and the turbines share their wind.",
      "",
      ...markdownTable(
        [
          "site",
          "reanalysis",
          "known",
          "months",
          "year: half",
          "came",
          "nine of ten",
          "kept",
          "month: half",
          "came",
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
