import type { DataFrame } from "nodejs-polars";
import { pickColumns } from "../../api/columns/column.ts";
import { monthlyIndicesFrame, predictedInterval, turbineId } from "../../api/columns/columns.ts";
import { NoDataError } from "../../api/errors.ts";
import type { TurbineDetails } from "../../api/resources/resources.ts";
import { extractNumbers } from "../../frames/frame.ts";
import { buildRefuse, readMonths } from "../../frames/read_columns.ts";
import type { MonthRange } from "../../show/options/range.ts";
import { monthNumberOf, monthOfNumber } from "../../time/zones.ts";
import type { Verdict } from "../verdict/row.ts";
import { judgeByIndex } from "../verdict/verdict.ts";
import { explainUseless, labelPeriod } from "../verdict/words.ts";
import { sumOf } from "../../stats/spread.ts";

/** Reference period of the wind, and whether the calibration is useful. */
type FleetReference = Pick<
  TurbineDetails,
  "calibration_verdict" | "calibration_reason" | "reference_from" | "reference_to"
>;

/** The wind of a turbine as energy, MWh. */
interface TurbineWind {
  readonly energy: number;
  readonly normal: number;
  /** Energy over normal, %. */
  readonly index: number;
  /** The verdict without production. */
  readonly verdict: Verdict;
}

/** The wind of a fleet in a period. */
export interface FleetWind {
  /** "2024-03", "2024", or "2024-01 to 2024-06". */
  readonly period: string;
  /** Its months. */
  readonly months: readonly string[];
  /** First and last month for which any turbine has figures. */
  readonly known: readonly [first: string, last: string];
  /** By turbine; turbines without figures for all months are missing. */
  readonly turbines: ReadonlyMap<string, TurbineWind>;
}

const [month, predicted, abnormality] = pickColumns(monthlyIndicesFrame, [
  "month",
  "predicted_production",
  "month_abnormality_index",
]);
const [low, high] = predictedInterval;

/** A month of a turbine with figures; energies in MWh, missing is NaN. */
interface Month extends Readonly<Record<"energy" | "normal" | "below" | "above", number>> {
  readonly number: number;
}

/** Reads the months with figures, by turbine. */
function readMonthsOf(indices: DataFrame, action: string): Map<string, Month[]> {
  const ids = indices.getColumn(turbineId.name).toArray().map(String);
  const numbers = readMonths(indices, month.name, buildRefuse(action));
  const read = (name: string) =>
    indices.columns.includes(name) ? extractNumbers(indices, name) : new Float64Array(0);
  const [energies, shares, lows, highs] = [predicted, abnormality, low, high]
    .map(({ name }) => read(name));
  const turbines = new Map<string, Month[]>(ids.map((id) => [id, []]));
  ids.forEach((id, i) => {
    const energy = energies[i];
    const normal = 100 * energy / shares[i];
    if (!(shares[i] > 0) || !Number.isFinite(normal)) return;
    const [below, above] = [energy - (lows[i] ?? NaN), (highs[i] ?? NaN) - energy];
    turbines.get(id)!.push({ number: numbers[i], energy, normal, below, above });
  });
  return turbines;
}

/** Sums the months of a turbine, assuming equal errors; `undefined` if one is missing. */
function addMonths(
  months: readonly Month[],
  [first, last]: readonly [number, number],
  period: string,
  details: FleetReference,
): TurbineWind | undefined {
  const inPeriod = months.filter(({ number }) => number >= first && number <= last);
  if (inPeriod.length < last - first + 1) return undefined;
  const add = (name: "energy" | "normal" | "below" | "above") =>
    sumOf(inPeriod, (one) => one[name]);
  const [energy, normal, below, above] = [add("energy"), add("normal"), add("below"), add("above")];
  const year = (value: unknown) => Number.isInteger(value) ? value as number : null;
  const verdict = judgeByIndex({
    period,
    predicted: energy,
    normal,
    low: energy - below,
    high: energy + above,
    reference_from: year(details.reference_from),
    reference_to: year(details.reference_to),
  }, explainUseless(details) ?? {});
  return { energy, normal, index: 100 * energy / normal, verdict };
}

/**
 * Reads the energy that the wind of a period offered to each turbine.
 *
 * @param range The months. @default the last one with production, else the last one with figures. An open side ends
 * with the production, else with the figures
 * @param produced Months with production
 * @param lastJudged Last month whose production has enough hours
 * @throws {NoDataError} If no turbine has figures for any month
 */
export function readFleetWind(
  indices: DataFrame,
  details: readonly (Pick<TurbineDetails, "turbine_id"> & FleetReference)[],
  range: MonthRange,
  produced: readonly string[],
  lastJudged: string | undefined,
  action: string,
): FleetWind {
  const months = readMonthsOf(indices, action);
  const known = [...months.values()].flat().map(({ number }) => number);
  if (known.length === 0) {
    throw new NoDataError(
      `Cannot ${action}: no turbine has figures for any month. Give indices of turbines with figures`,
    );
  }
  const [oldest, newest] = [
    known.reduce((a, b) => Math.min(a, b)),
    known.reduce((a, b) => Math.max(a, b)),
  ];
  const isOpen = !range.from && !range.to;
  const numberOf = (month: string) => monthNumberOf(Temporal.PlainYearMonth.from(month));
  const chosen = lastJudged === undefined ? newest : numberOf(lastJudged);
  const [from, to] = [range.from, range.to].map((month) => month && monthNumberOf(month));
  const inRange = produced.map(numberOf).filter((number) =>
    number >= (from ?? number) && number <= (to ?? number)
  );
  const first = isOpen
    ? chosen
    : from ?? inRange.reduce((a, b) => Math.min(a, b), inRange[0] ?? oldest);
  const last = isOpen
    ? chosen
    : to ?? inRange.reduce((a, b) => Math.max(a, b), inRange[0] ?? newest);
  const label = (number: number) => monthOfNumber(number).toString();
  const period = labelPeriod(label(first), label(last));
  const turbines = details.flatMap((turbine) => {
    const wind = addMonths(months.get(turbine.turbine_id) ?? [], [first, last], period, turbine);
    return wind ? [[turbine.turbine_id, wind] as const] : [];
  });
  return {
    period,
    months: Array.from({ length: Math.max(0, last - first + 1) }, (_, i) => label(first + i)),
    known: [label(oldest), label(newest)],
    turbines: new Map(turbines),
  };
}
