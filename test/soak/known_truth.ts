import { formatNumber, formatSigned } from "../../src/show/text/numbers.ts";
import { mean, quantile } from "../../src/stats/spread.ts";
import { dataPresent, siteData, type SiteName } from "../validate/_site_data.ts";
import {
  AFTER,
  CHANGES,
  type MeasuredChange,
  measureKnownTruth,
  RECORDS,
  STARTS,
  type UnchangedDate,
} from "./_known_truth.ts";

/** Sites with the hours to change, and the reanalysis of their model. */
const CASES: readonly (readonly [SiteName, string])[] = [
  ["kelmarsh", "era5"],
  ["la_haute_borne", "merra2"],
];

/** Largest error without a change, in points, by {@linkcode RECORDS}. */
const MAX_ERRORS: Readonly<Record<string, readonly number[]>> = {
  kelmarsh: [1.8, 0.95, 0.85],
  la_haute_borne: [3.5, 2.25, 2.3],
};

/** Allowed share of the unchanged dates in their 90 % interval, %: over all, and the smallest for a site and length, whose dates share their wind. */
const [MIN_KEPT, MAX_KEPT, MIN_KEPT_OF_SITE] = [86, 94, 80];

/** Smallest share of intervals with neighbours that contain the injected change, %. */
const MIN_HITS = 80;

const percent = (values: readonly boolean[]) => 100 * mean(values.map(Number));

const computeRms = (values: readonly number[]) =>
  Math.sqrt(mean(values.map((value) => value ** 2)));

const countHits = (all: readonly { readonly hit: boolean }[]) => percent(all.map(({ hit }) => hit));

/** Formats bias, spread and error in percentage points, and the shares within one point and in the interval. */
function describe(all: readonly MeasuredChange[]): string {
  const errors = all.map(({ error }) => 100 * error);
  const bias = mean(errors);
  const rms = computeRms(errors);
  const spread = computeRms(errors.map((error) => error - bias));
  const figures = [spread, rms].map((value) => formatNumber(value, 2));
  return `bias ${formatSigned(bias, 2)}, spread ${figures[0]}, error ${figures[1]} points, ${
    percent(errors.map((error) => Math.abs(error) <= 1)).toFixed(0)
  } % within 1, ${countHits(all).toFixed(0)} % in the 90 % interval`;
}

/**
 * Changes the real hours of turbines from known dates on, and measures the errors of `checkPerformance()`: alone and
 * with neighbours, by months after the date and by kind of change. Without a change the measured change should be
 * zero.
 *
 * @param rounds How many of the ten start months to run
 * @param say Prints the results
 * @param advance Called after each
 * @returns Figures out of bounds, in words
 */
export async function knownTruth(
  rounds: number,
  say: (line: string) => void,
  advance: () => void,
): Promise<string[]> {
  if (!dataPresent()) {
    say("skipped: ../shared/data is not here");
    return [];
  }
  const measured: (MeasuredChange & { readonly site: SiteName })[] = [];
  const dates: (UnchangedDate & { readonly site: SiteName })[] = [];
  for (const start of STARTS.slice(0, rounds)) {
    for (const [site, reanalysis] of CASES) {
      const data = await siteData(site);
      data.turbines.forEach((_, position) => {
        const { changes, unchanged } = measureKnownTruth(data, position, reanalysis, [start]);
        measured.push(...changes.map((one) => ({ site, ...one })));
        dates.push(...unchanged.map((one) => ({ site, ...one })));
      });
    }
    advance();
  }
  const faults: string[] = [];
  for (const [site] of CASES) {
    for (const against of ["alone", "neighbours"] as const) {
      for (const after of AFTER) {
        const group = measured.filter((one) =>
          one.site === site && one.against === against && one.after === after
        );
        const clean = group.filter(({ change }) => change === "none");
        const changed = group.filter(({ change }) => change !== "none");
        say(
          `${site}, ${against}, ${after} months after, ${
            changed.length === 0
              ? `${clean.length} unchanged: ${describe(clean)}`
              : `${changed.length} changes: ${describe(changed)}`
          }; of ${clean.length} unchanged: ${countHits(clean).toFixed(0)} %`,
        );
        if (against === "alone") continue;
        const hits = countHits(changed);
        if (hits < MIN_HITS) faults.push(`${site}, ${after} months: ${hits.toFixed(0)} % hits`);
      }
    }
    RECORDS.forEach((months, i) => {
      const group = dates.filter((date) => date.site === site && date.months === months);
      const apart = group.filter((date) => date.apart).map(({ error }) => 100 * error);
      const [error, kept] = [computeRms(apart), countHits(group)];
      const sizes = Float64Array.from(group, (date) => 100 * Math.abs(date.error)).sort();
      say(
        `${site}, neighbours, records of ${months} months without a change: error ${
          formatNumber(error, 2)
        } points on ${apart.length} dates of records that do not overlap; 95 % of all ${group.length} dates within ${
          formatNumber(quantile(sizes, 0.95), 1)
        } points, ${kept.toFixed(0)} % in the 90 % interval`,
      );
      if (error > MAX_ERRORS[site][i]) {
        faults.push(`${site}, ${months} months: ${error.toFixed(2)} points`);
      }
      if (kept < MIN_KEPT_OF_SITE) {
        faults.push(`${site}, ${months} months: ${kept.toFixed(0)} % kept`);
      }
    });
  }
  const kept = countHits(dates);
  say(
    `all ${dates.length} dates without a change: ${kept.toFixed(1)} % in the 90 % interval`,
  );
  if (kept < MIN_KEPT || kept > MAX_KEPT) faults.push(`${kept.toFixed(1)} % of the dates kept`);
  for (const change of Object.keys(CHANGES)) {
    const group = measured.filter((one) =>
      one.change === change && one.against === "neighbours" && one.after >= 3
    );
    say(`${change}, with neighbours, 3 and 6 months: ${describe(group)}`);
  }
  return faults;
}
