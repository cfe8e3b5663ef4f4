import { type DataFrame, pl, type ProductionFormat } from "../../../mod.ts";
import { findFactor } from "../../frames/production/units.ts";
import { formatNumber } from "../../show/text/numbers.ts";
import { suspectUnit } from "../../sites/mod.ts";
import { monthOfDays } from "../../time/zones.ts";
import type { Doubt } from "./dialogue.ts";
import { productionFields, turbineFields } from "./fields.ts";

/** Hours of a mean year. */
const YEAR_HOURS = 8766;

/** Lists the hours of each period of energies; 1 where a frame has mean power. */
function listHours(frame: DataFrame): number[] {
  if (frame.columns.includes("power")) return Array(frame.height).fill(1);
  if (frame.columns.includes("year")) return Array(frame.height).fill(YEAR_HOURS);
  const months = frame.getColumn("month").cast(pl.Int32).toArray() as number[];
  return months.map((days) => 24 * monthOfDays(days).daysInMonth);
}

/**
 * Computes production as a share of what rated power gives in the same time, value by value.
 *
 * @param frame Production as it was read
 * @param ratedPower Rated power of all that was measured together, kW
 */
export function computeFactors(frame: DataFrame, ratedPower: number): Float64Array {
  const [name, perUnit] = frame.columns.includes("power") ? ["power", 1] : ["energy", 1000];
  const hours = listHours(frame);
  const values = frame.getColumn(name).toArray() as (number | null)[];
  return Float64Array.from(values, (value, i) => (value ?? NaN) * perUnit / hours[i] / ratedPower);
}

/**
 * Usual factors, least and greatest: of the strongest hours (99 % are less), and of the median month or year. At Kelmarsh the
 * strongest hours have 0.99 to 1.00, at La Haute Borne 0.83 to 0.84; the median year of Horns Rev has 0.33. Each range is
 * narrower than a factor of a thousand, so of kW, MW and GW one fits.
 */
const USUAL = { hours: [0.5, 1.2], periods: [0.05, 0.75] } as const;

/** Share of the values that have the right unit, at least, where others are in another one. */
const MIN_RIGHT = 0.5;

/** A value in another unit is at least as many times too large: less is an overshoot, or several turbines. */
const MIN_MIXED = 50;

/** A rated power of less, kW, is rather one in MW: the largest turbines have less than 30 MW. */
const LEAST_RATED = 30;

/** Judges the factors of one unit: the usual size of them, and whether it is that of a turbine. */
function measureSize(sorted: Float64Array, kind: keyof typeof USUAL) {
  const size = sorted[Math.floor((kind === "hours" ? 0.99 : 0.5) * (sorted.length - 1))];
  const [least, greatest] = USUAL[kind];
  return { size, fits: (factor: number) => factor * size >= least && factor * size <= greatest };
}

/**
 * Judges by rated power whether production is in the unit as which it was read.
 *
 * @param frame Production as it was read
 * @param how The declaration; that of a preset need not have a unit
 * @param ratedPower Rated power of all that was measured together, kW
 * @returns What is wrong, and the answer that fits; `undefined` where nothing is
 */
export function judgeProduction(
  frame: DataFrame,
  { unit, resolution }: Partial<Pick<ProductionFormat, "unit" | "resolution">>,
  ratedPower: number,
): Doubt | undefined {
  const kind = frame.columns.includes("power") ? "hours" : "periods";
  const factors = computeFactors(frame, ratedPower);
  const [suspicion] = suspectUnit(factors, kind);
  if (!suspicion) return undefined;
  const known = factors.filter((factor) => !Number.isNaN(factor)).sort();
  const { size, fits } = measureSize(known, kind);
  const found =
    `Read this way, its ${kind === "hours" ? "strongest hours have" : "median period has"} ` +
    `${formatShare(size)} rated power (${Number(ratedPower.toPrecision(6))} kW)`;
  const right = known.filter((factor) => factor <= USUAL[kind][1]);
  const isMixed = right.length >= MIN_RIGHT * known.length && right.length < known.length &&
    measureSize(right, kind).fits(1) && known[right.length] > MIN_MIXED * USUAL[kind][1];
  if (isMixed) {
    const count = formatNumber(known.length - right.length);
    return {
      field: productionFields.file,
      problem:
        `${count} of ${formatNumber(known.length)} values are ${
          formatShare(known[right.length])
        } rated power or more, and the others are usual: these are probably in another unit. ` +
        "Convert them in a copy of the file, and give that file",
    };
  }
  const factorOf = (one: string) =>
    findFactor({ resolution: resolution!, unit: one as ProductionFormat["unit"] });
  const likely = unit && resolution
    ? productionFields.unit.choices.find((one) =>
      (kind === "hours" || one.endsWith("h")) && fits(factorOf(one) / factorOf(unit))
    )
    : undefined;
  if (size > 1 && ratedPower < LEAST_RATED) {
    const inKilowatts = 1000 * ratedPower;
    const other = likely === undefined ? "" : `, unless the unit is ${likely}`;
    const problem = `${found}: that is probably in MW${other}. Give it in kW, as ${inKilowatts}`;
    return { field: turbineFields.rated_power, likely: inKilowatts, problem };
  }
  if (likely !== undefined) {
    const share = formatShare(size * factorOf(likely) / factorOf(unit!));
    const problem =
      `${found}. Read as ${likely} it is ${share} that: the unit is probably ${likely}`;
    return { field: productionFields.unit, likely, problem };
  }
  const several = frame.columns.includes("turbine_id") &&
    frame.getColumn("turbine_id").unique().length > 1;
  const problem = `${found}. Its ${suspicion.message}`;
  if (size < 1 || several) return { field: turbineFields.rated_power, problem };
  const units = kind === "hours" ? { likely: Math.round(size) } : {};
  return { field: turbineFields.units, problem, ...units };
}

/** A share before "rated power": a factor if it is large. */
function formatShare(factor: number): string {
  return factor >= 2
    ? `${formatNumber(factor)} times`
    : `${Number((100 * factor).toPrecision(3))} % of`;
}
