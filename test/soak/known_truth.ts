import { formatNumber, formatSigned } from "../../src/show/text/numbers.ts";
import { mean } from "../../src/stats/spread.ts";
import { dataPresent, siteData, type SiteName } from "../validate/_site_data.ts";
import { AFTER, CHANGES, type MeasuredChange, measureKnownTruth, STARTS } from "./_known_truth.ts";

/** Sites whose hours are changed, and the reanalysis that the model is made from. */
const CASES: readonly (readonly [SiteName, string])[] = [
  ["kelmarsh", "era5"],
  ["la_haute_borne", "merra2"],
];

/** Share of unchanged records that may have a change of more than two standard deviations, %; a site shares its wind. */
const MAX_FALSE = 15;

/** Fewest intervals of changes beside neighbours that must contain the truth, %. */
const MIN_HITS = 80;

const percent = (values: readonly boolean[]) => 100 * mean(values.map(Number));

/** Bias, spread and error in percentage points, and how many are within one, and in their interval. */
function describe(all: readonly MeasuredChange[]): string {
  const errors = all.map(({ error }) => 100 * error);
  const bias = mean(errors);
  const rms = Math.sqrt(mean(errors.map((error) => error ** 2)));
  const spread = Math.sqrt(mean(errors.map((error) => (error - bias) ** 2)));
  const figures = [spread, rms].map((value) => formatNumber(value, 2));
  return `bias ${formatSigned(bias, 2)}, spread ${figures[0]}, error ${figures[1]} points, ${
    percent(errors.map((error) => Math.abs(error) <= 1)).toFixed(0)
  } % within 1, ${percent(all.map(({ hit }) => hit)).toFixed(0)} % in the 90 % interval`;
}

/**
 * Changes the real hours of turbines from known dates on, and counts how well `checkPerformance()` measures that: alone and
 * beside the neighbours, by months after the date and by kind of change. Without a change nothing should be found.
 *
 * @param rounds How many of the nine dates
 * @param say Prints the results
 * @param advance Called after each
 * @returns What is out of bounds, in words
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
  const found: (MeasuredChange & { readonly site: SiteName })[] = [];
  for (const start of STARTS.slice(0, rounds)) {
    for (const [site, reanalysis] of CASES) {
      const data = await siteData(site);
      data.turbines.forEach((_, position) => {
        const own = measureKnownTruth(data, position, reanalysis, [start]);
        found.push(...own.map((one) => ({ site, ...one })));
      });
    }
    advance();
  }
  const faults: string[] = [];
  for (const [site] of CASES) {
    for (const against of ["alone", "neighbours"] as const) {
      for (const after of AFTER) {
        const own = found.filter((one) =>
          one.site === site && one.against === against && one.after === after
        );
        const clean = own.filter(({ change }) => change === "none");
        const wrong = percent(clean.map(({ t }) => Math.abs(t) > 2));
        const changed = own.filter(({ change }) => change !== "none");
        say(
          `${site}, ${against}, ${after} months after, ${
            changed.length === 0
              ? `${clean.length} unchanged: ${describe(clean)}`
              : `${changed.length} changes: ${describe(changed)}`
          }; unchanged beyond two standard deviations: ${wrong.toFixed(0)} % of ${clean.length}`,
        );
        if (against === "alone") continue;
        const hits = percent(changed.map(({ hit }) => hit));
        if (wrong > MAX_FALSE) faults.push(`${site}, ${after} months: ${wrong.toFixed(0)} % false`);
        if (hits < MIN_HITS) faults.push(`${site}, ${after} months: ${hits.toFixed(0)} % hits`);
      }
    }
  }
  const all = found.filter(({ change, against }) => change === "none" && against === "neighbours");
  const wrong = percent(all.map(({ t }) => Math.abs(t) > 2)).toFixed(1);
  say(
    `beside neighbours, all unchanged: ${wrong} % of ${all.length} beyond two standard deviations`,
  );
  for (const change of Object.keys(CHANGES)) {
    const own = found.filter((one) =>
      one.change === change && one.against === "neighbours" && one.after >= 3
    );
    say(`${change}, beside neighbours, 3 and 6 months: ${describe(own)}`);
  }
  return faults;
}
