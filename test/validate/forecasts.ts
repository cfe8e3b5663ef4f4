import { proveIndex } from "../../src/analysis/prove_index/prove_index.ts";
import { extractNumbers } from "../../src/frames/frame.ts";
import type { SiteData } from "../../src/sites/site_data.ts";
import { predictByWays, type Way } from "./intervals.ts";
import { listComparedMonths } from "./_months.ts";
import { computeHubs } from "./_site_data.ts";

/** Months of production for which errors are forecast. */
const LENGTHS = [3, 6, 9] as const;

/** Months the forecast is made from: the whole year, or its first quarter. */
const KNOWN = [12, 3] as const;

/** Errors for a number of months, forecast by `proveIndex()` and actual, as shares. */
export interface Forecast {
  /** Months it was made from. */
  readonly known: number;
  /** Months of production it is for. */
  readonly months: number;
  /** Errors that half of the worlds stay within, and nine of ten: of a normal year and of an unseen month. */
  readonly year: readonly [half: number, most: number];
  readonly month: readonly [half: number, most: number];
  /** Actual errors of all windows of that many months in a row. */
  readonly years: readonly number[];
  readonly unseen: readonly number[];
}

/**
 * Compares the forecasts of `proveIndex()` for some lengths of record with the errors of all windows of these
 * lengths. The truth of a normal year is the estimate from the whole record.
 *
 * @param reanalysis Dataset of the reanalysis
 */
export function compareForecasts(
  data: SiteData,
  position: number,
  reanalysis: string,
): Forecast[] {
  const { turbine } = data.turbines[position];
  const { production, mask, months } = listComparedMonths(data, position, true);
  const climates = computeHubs(data, turbine)
    .filter(({ serviceId }) => serviceId === reanalysis);
  const ways = [...LENGTHS, 11].map((months): Way => ({ resolution: "hour", months }));
  const byWay = predictByWays(data, position, reanalysis, ways);
  const whole = byWay[LENGTHS.length].months;
  const normal = whole.reduce((sum, month) => sum + month.normal, 0) / whole.length;
  return KNOWN.flatMap((known) => {
    const masked = mask.slice().fill(1, months[known - 1].to);
    const { frames: { lengths } } = proveIndex({
      turbine,
      inputs: [{ production, masked }],
      climates,
    });
    const column = (name: string) => extractNumbers(lengths, name);
    const counts = column("months");
    return LENGTHS.map((count, i): Forecast => {
      const at = counts.indexOf(count);
      const both = (what: string) =>
        [column(`${what}_half`)[at] / 100, column(`${what}_most`)[at] / 100] as const;
      const { months: unseen } = byWay[i];
      const windows = [...new Set(unseen.map((month) => month.normal))];
      return {
        known,
        months: count,
        year: both("year"),
        month: both("month"),
        years: windows.map((year) => Math.abs(year / normal - 1)),
        unseen: unseen.map(({ produced, predicted }) => Math.abs(produced / predicted - 1)),
      };
    });
  });
}
