import { SeededRandom } from "../../src/stats/seeded_random.ts";
import { scoreInterval } from "../soak/hit_rate.ts";
import type { Way, WayMonths } from "./intervals.ts";
import type { IntervalMonth } from "./leave_one_month_out.ts";
import { formatPercent, markdownTable, mean, type Section } from "./_page_parts.ts";
import { siteData, type SiteName } from "./_site_data.ts";
import before from "./second_edition_intervals.json" with { type: "json" };
import type { Workers } from "./_workers.ts";

/** Reanalyses of the sites, each used alone. */
export const CASES: readonly { site: SiteName; title: string; reanalysis: string; name: string }[] =
  [
    { site: "kelmarsh", title: "Kelmarsh", reanalysis: "era5", name: "ERA5" },
    { site: "la_haute_borne", title: "La Haute Borne", reanalysis: "era5", name: "ERA5" },
    { site: "la_haute_borne", title: "La Haute Borne", reanalysis: "merra2", name: "MERRA-2" },
  ];

/** Quality of the intervals of months. */
interface Quality {
  /** Mean absolute error, %. */
  readonly error: number;
  /** Mean half width, % of the prediction. */
  readonly width: number;
  /** Share of the months in their interval, %. */
  readonly hits: number;
  /** Interval score, % of a normal month. */
  readonly score: number;
}

const isHit = ({ produced, interval: { low, high } }: IntervalMonth) =>
  produced >= low && produced <= high;

/** Measures the intervals of months. */
export function measureIntervals(months: readonly IntervalMonth[]): Quality {
  const percent = (of: (month: IntervalMonth) => number) => 100 * mean(months.map(of));
  return {
    error: percent(({ produced, predicted }) => Math.abs(predicted / produced - 1)),
    width: percent(({ predicted, interval: { low, high } }) => (high - low) / 2 / predicted),
    hits: percent((month) => Number(isHit(month))),
    score: percent(({ interval, produced, normal }) => scoreInterval(interval, produced) / normal),
  };
}

/** Number of resamples for the range of a hit rate. */
const DRAWS = 1000;

/** Range of a hit rate by chance, %: resamples calendar months, each with all its turbines and windows. */
function computeHitRange(months: readonly IntervalMonth[]): [low: number, high: number] {
  const blocks = [...Map.groupBy(months, ({ label }) => label).values()]
    .map((block) => ({ hits: block.filter(isHit).length, number: block.length }));
  const random = new SeededRandom("hit range");
  const rates = Array.from({ length: DRAWS }, () => {
    const drawn = blocks.map(() => blocks[Math.floor(random.uniform() * blocks.length)]);
    const sum = (of: (block: typeof blocks[number]) => number) =>
      drawn.reduce((all, block) => all + of(block), 0);
    return 100 * sum(({ hits }) => hits) / sum(({ number }) => number);
  }).sort((a, b) => a - b);
  return [rates[DRAWS * 0.05], rates[DRAWS * 0.95]];
}

const NUMBER_WORDS: Readonly<Record<string, string>> = {
  hour: "hours",
  month: "monthly",
  year: "annual",
};

const nameOf = ({ resolution, months }: Way) => `${NUMBER_WORDS[resolution]}, ${months}`;

/** Months of the turbines of a case, by way of training. */
type Predicted = readonly WayMonths[];

/** Predicts all cases. */
export async function predictCases(workers: Pick<Workers, "run">): Promise<Predicted[]> {
  return await Promise.all(CASES.map(async ({ site, reanalysis }) => {
    const { turbines } = await siteData(site);
    const byTurbine = await Promise.all(
      turbines.map((_, position) => workers.run("predictByWays", { site, position, reanalysis })),
    );
    return byTurbine[0].map(({ way }, i) => ({
      way,
      refused: byTurbine.reduce((sum, ways) => sum + ways[i].refused, 0),
      months: byTurbine.flatMap((ways) => ways[i].months),
    }));
  }));
}

/** Hit rate and score of each case and way at the earlier commit, in the order of the table. */
const earlier = before as readonly { readonly hits: number; readonly score: number }[];

function buildRows(cases: readonly Predicted[]): string[][] {
  return cases.flatMap((ways, i) =>
    ways.map(({ way, refused, months }, j) => {
      const { error, width, hits, score } = measureIntervals(months);
      const first = earlier[i * ways.length + j];
      const { title, name } = CASES[i];
      return [
        title,
        name,
        nameOf(way),
        `${months.length}${refused > 0 ? ` (${refused} windows refused)` : ""}`,
        formatPercent(error),
        formatPercent(width),
        formatPercent(first.hits),
        formatPercent(hits),
        computeHitRange(months).map((rate) => rate.toFixed(0)).join(" to "),
        first.score.toFixed(0),
        score.toFixed(0),
        `${(100 * (score / first.score - 1)).toFixed(0)} %`,
      ];
    })
  );
}

/** Weight of each case: each site counts once. */
const WEIGHTS = CASES.map(({ site }) => 1 / CASES.filter((other) => other.site === site).length);

/** Rows with the means over the sites. */
function buildTotals(cases: readonly Predicted[]): string[][] {
  const average = (values: readonly number[]) =>
    values.reduce((sum, value, i) => sum + WEIGHTS[i] * value, 0) /
    WEIGHTS.reduce((sum, weight) => sum + weight, 0);
  return cases[0].map(({ way }, j) => {
    const now = cases.map((ways) => measureIntervals(ways[j].months));
    const then = cases.map((ways, i) => earlier[i * ways.length + j]);
    const [was, is] = [then, now].map((all) => average(all.map(({ score }) => score)));
    return [
      nameOf(way),
      formatPercent(average(then.map(({ hits }) => hits))),
      formatPercent(average(now.map(({ hits }) => hits))),
      was.toFixed(0),
      is.toFixed(0),
      `${(100 * (is / was - 1)).toFixed(0)} %`,
    ];
  });
}

/**
 * Writes the section on the intervals of months by way of training.
 *
 * @param workers Workers that compute it
 */
export async function intervalsSection(workers: Workers): Promise<Section> {
  const cases = await predictCases(workers);
  return {
    lines: [
      "## 90 % intervals by way of training",
      "",
      "We calibrate the model on each window of consecutive months, and predict the other months of the year.",
      "With a window of eleven months, we predict one month.",
      "The calibration uses monthly energies, or hourly production without the outage hours.",
      'In the rows "annual, 12", the calibration uses the energy of the whole year.',
      "Vindkit refuses to calibrate on a window with fewer than 672 valid hours.",
      'The column "hits" shows the share of 90 % intervals that contain the produced energy.',
      'The column "score" shows the interval score at 90 % (Gneiting and Raftery, 2007, equation 43), in % of the energy of a normal month.',
      "A smaller score is better.",
      'The columns with "before" in the title show the results of commit 1cfc7ad0 for the same windows.',
      'For the column "by chance", we draw calendar months at random, each with all turbines and windows.',
      "The column shows the range that contains 90 % of the resulting hit rates.",
      "",
      ...markdownTable(
        [
          "site",
          "reanalysis",
          "trained, months",
          "predicted",
          "mean error",
          "half width",
          "hits before",
          "hits",
          "by chance",
          "score before",
          "score",
          "change",
        ],
        buildRows(cases),
      ),
      "",
      "The next table shows means over the sites, each with the same weight:",
      "",
      ...markdownTable(
        ["trained, months", "hits before", "hits", "score before", "score", "change"],
        buildTotals(cases),
      ),
      "",
      "A year has only twelve months, and all turbines of a site have the same wind.",
      "So these data cannot show whether the true hit rate is 80, 90 or 97 %.",
      "Even data from four sites would not be enough to distinguish these rates.",
      "With six or more training months, Vindkit computes the interval from the errors of these months.",
      "With fewer training months, Vindkit also uses the errors at other sites.",
      "If the training data are hourly, Vindkit also uses the daily errors of these data.",
      "For Kelmarsh, the intervals from fewer than six months are too wide.",
      "For La Haute Borne with ERA5 data, these intervals are too narrow.",
      "The reason is January, when production was a third below the prediction.",
      "A calibration can estimate the seasonal error only from twelve or more months.",
      "So at La Haute Borne, a calibration on half of the year can be wrong for the other half.",
      "For the hit rates in synthetic worlds, see `hitRate` in docs/soak.md.",
      "",
    ],
    missed: [],
  };
}
