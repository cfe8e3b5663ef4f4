import type { SiteData } from "../../src/sites/site_data.ts";
import { SEASON_PRIOR } from "../../src/windindex/uncertainty/error_terms.ts";
import { type CalibratedOn, fromQuarters, fromYears, type ShortRecord } from "./long_term.ts";
import { markdownTable, mean, type Section } from "./_page_parts.ts";
import { type Season, seasonsOf } from "./season.ts";

/** Title of the section. */
export const LONG_TERM = "Long-term production from short records";

/** Goals of estimates whose index knows only their part of the record: errors, %, and share of hits. */
const GOALS = { quarters: 5, years: 2.5, hits: 0.8 } as const;

const BASES: readonly CalibratedOn[] = ["the part", "the whole"];

const signed = (value: number) => `${value < 0 ? "" : "+"}${value.toFixed(1)} %`;

/** A row for each part and method: the errors of all turbines. */
function partRows(records: readonly ShortRecord[]): string[][] {
  const groups = Map.groupBy(records, ({ part, method }) => `${part}|${method}`);
  return [...groups.values()].map((group) => [
    group[0].part,
    group[0].method,
    group.map(({ error }) => signed(error)).join(", "),
    `${mean(group.map(({ width }) => width)).toFixed(1)} %`,
    `${group.filter(({ hit }) => hit).length} of ${group.length}`,
  ]);
}

/** A row for each basis and method. */
function totalRows(site: string, records: readonly ShortRecord[]): string[][] {
  const groups = Map.groupBy(records, ({ index, method }) => `${index}|${method}`);
  return [...groups.values()].map((group) => [
    site,
    group[0].index,
    group[0].method,
    String(group.length),
    `${mean(group.map(({ error }) => Math.abs(error))).toFixed(1)} %`,
    `${Math.max(...group.map(({ error }) => Math.abs(error))).toFixed(1)} %`,
    `${group.filter(({ hit }) => hit).length} of ${group.length}`,
  ]);
}

function rootMeanSquare(seasons: readonly Season[]): number {
  return Math.sqrt(mean(seasons.map(({ deviation }) => deviation ** 2)));
}

/** A row for each reanalysis of a site: the waves of its turbines, and their root mean square. */
function waveRows(site: string, seasons: readonly Season[]): string[][] {
  const groups = Map.groupBy(seasons, ({ reanalysis }) => reanalysis);
  return [...groups].map(([reanalysis, group]) => {
    const each = group.map(({ turbine, deviation }) => `${turbine} ${deviation.toFixed(1)} %`);
    return [site, reanalysis, each.join(", "), `${rootMeanSquare(group).toFixed(1)} %`];
  });
}

function computeMissed(
  quarters: readonly ShortRecord[],
  years: readonly ShortRecord[],
  seasons: readonly Season[],
): string[] {
  const alone = (records: readonly ShortRecord[]) =>
    records.filter(({ index }) => index === "the part");
  const error = mean(alone(quarters).map((record) => Math.abs(record.error)));
  const share = (records: readonly ShortRecord[]) =>
    records.filter(({ hit }) => hit).length / records.length;
  const measured = rootMeanSquare(seasons);
  return [
    ...(error <= GOALS.quarters
      ? []
      : [`Quarters miss the long-term figure by ${error.toFixed(2)} %, more than 5 %`]),
    ...alone(years).filter((record) => Math.abs(record.error) > GOALS.years)
      .map(({ part, method, error }) => `${part}, ${method}: ${error.toFixed(2)} %`),
    ...[alone(quarters), alone(years)].filter((records) => share(records) < GOALS.hits)
      .map((records) =>
        `${records[0].turbine}: ${
          (100 * share(records)).toFixed(0)
        } % in the intervals, less than 80 %`
      ),
    ...(measured <= 100 * SEASON_PRIOR.deviation ? [] : [
      `The season is ${
        measured.toFixed(2)
      } % at Kelmarsh, the engine takes ${SEASON_PRIOR.deviation}`,
    ]),
  ];
}

/**
 * Compares long-term estimates from short records with estimates from full ones.
 *
 * @param kelmarsh The site with hourly production
 * @param hornsRev The site with annual production
 * @param laHauteBorne A site with another season
 */
export function longTermSection(
  kelmarsh: SiteData,
  hornsRev: SiteData,
  laHauteBorne: SiteData,
): Section {
  const quarters = BASES.flatMap((index) => fromQuarters(kelmarsh, index));
  const years = BASES.flatMap((index) => fromYears(hornsRev, index));
  const seasons = seasonsOf(kelmarsh);
  const waves = [
    ...waveRows("Kelmarsh", seasons),
    ...waveRows("La Haute Borne", seasonsOf(laHauteBorne)),
  ];
  const alone = quarters.filter(({ index }) => index === "the part");
  const names = kelmarsh.turbines.map(({ turbine }) => turbine.id).join(", ");
  return {
    lines: [
      `## ${LONG_TERM}`,
      "",
      "At Kelmarsh, `estimateLongTerm()` estimates the normal year from each quarter of 2018.",
      "At Horns Rev, the function estimates the normal year from each single year without an outage.",
      "The error is the difference between this estimate and the estimate by the same method from the full record.",
      "At Horns Rev, the full record is 2003 to 2006, but the methods exclude 2003 and 2004 as outages.",
      'In the rows "the part", the index was calibrated only on the quarter or year of the estimate.',
      'In the rows "the whole", the index was calibrated on the full record.',
      "The estimates use all hours, because we exclude no hours by hand or with the masks of an import.",
      "",
      ...markdownTable(
        [
          "site",
          "index calibrated on",
          "method",
          "estimates",
          "mean absolute error",
          "largest error",
          "in the 90 % interval",
        ],
        [...totalRows("Kelmarsh", quarters), ...totalRows("Horns Rev 1", years)],
      ),
      "",
      "The regression method needs six months, so the table does not include this method.",
      "The 1200 method needs three complete months.",
      "The second quarter has only two complete months, because only 97.2 % of the hours of June have data.",
      "The fourth quarter also has only two complete months, because the data of October have a gap.",
      "At Horns Rev, both methods give the same result if the index was calibrated on the year of the estimate.",
      "The error also includes the uncertainty of the full record, which has only two years without outages.",
      "All turbines of a site have the same wind, so there are fewer independent cases than estimates.",
      "",
      `The next table shows the errors for ${names}, in this order.`,
      "The index is calibrated only on the quarter of the row:",
      "",
      ...markdownTable(
        ["part", "method", "errors", "half width of the interval", "in the 90 % interval"],
        partRows(alone),
      ),
      "",
      "Estimates from winter quarters are too low, and estimates from summer quarters are too high.",
      "The reason is that the reanalysis overestimates the wind of the windy months.",
      "To measure this seasonal error, we fit one factor and then an annual wave to the monthly ratios of produced to modelled energy.",
      "From this wave, we subtract the part that the scatter of the months explains:",
      "",
      ...markdownTable(["site", "reanalysis", "turbines", "standard deviation of the wave"], waves),
      "",
      `For records shorter than a year, the intervals include this wave as a standard deviation of ${
        (100 * SEASON_PRIOR.deviation).toFixed(0)
      } %.`,
      "For hourly production, Vindkit estimates this standard deviation from the daily errors of the record.",
      "Basse and others (Wind Energy Science 6, 2021) found that six reanalyses overestimate the wind in winter at 18 sites in Germany.",
      "",
    ],
    missed: computeMissed(quarters, years, seasons),
  };
}
