import type { DataFrame } from "nodejs-polars";
import { pickColumns } from "../../api/columns/column.ts";
import { modelDataCsv, monthlyIndicesFrame } from "../../api/columns/columns.ts";
import { ArgumentError } from "../../api/errors.ts";
import { buildRows } from "../../frames/frame.ts";
import { productionExtras } from "../../frames/production/production_columns.ts";
import { describeFrame, joinOrigins } from "../../frames/origin/provenance.ts";
import { buildRefuse } from "../../frames/read_columns.ts";
import { checkFrame } from "../../show/check_frame.ts";
import { declareOptions, readOptions } from "../../show/options/read_options.ts";
import { alignToAxis, endOfAxis, HOUR } from "../../time/hourly.ts";
import { sumOf } from "../../stats/spread.ts";
import {
  monthAsDays,
  monthAt,
  monthNumberOf,
  monthOfDays,
  monthOfNumber,
} from "../../time/zones.ts";
import { listMonthSpans, MIN_COMPLETENESS } from "../../windindex/index/monthly_energy.ts";
import {
  comparisonColumns,
  findMonthSpan,
  formatMonthSpan,
  type HourlySeries,
  listMonths,
  type MonthlySeries,
  type MonthSpan,
  productionSide,
  readComparedSeries,
  type SideColumns,
  sumMonths,
} from "../series/compared_series.ts";
import { assertLevel, assertOneUnit, listMixedHours } from "../series/level.ts";

/** Options of {@linkcode compareActual}. */
export interface CompareActualOptions {
  /** Frame from which the prediction was made, if the prediction lost its sources. @default the prediction */
  readonly source?: DataFrame;
}

const [hour, power] = pickColumns(modelDataCsv, ["time", "power"]);
const [month, predictedProduction, completeness] = pickColumns(
  monthlyIndicesFrame,
  ["month", "predicted_production", "completeness"],
);

const predictionSide: SideColumns = {
  subject: "the prediction",
  hourly: [hour, power],
  monthly: [month, predictedProduction],
};

const refuse = buildRefuse("compare production with prediction");

const OPTIONS = declareOptions<CompareActualOptions>()("source");

/**
 * Compares the production of a turbine with the model's prediction, month by month.
 *
 * Hours are compared with hours: only those valid in both count, and they belong to the local month of the prediction's
 * zone. Otherwise months are compared with months: hours are summed in their own zone if at least 98 % of a
 * month's hours are valid, and scaled to all of them. The prediction of a month of production with `valid_hours` is scaled to
 * these; `availability` is not used, so the ratio includes the losses of stops. A park's production must be divided by its number of turbines first:
 * the model is of one.
 *
 * @param production Hours (`time` with a zone, `power` in kW) or months (`month`, `energy` in MWh, perhaps `valid_hours`)
 * of one turbine; regular
 * steps below an hour are averaged as `toHours()` does, and the note below the frame says so
 * @param predicted Model data (`time`, `power`) or monthly indices (`month`, `predicted_production`) of the same turbine
 * @param options `source`: the frame from which the prediction was made, if the prediction lost its sources
 * @returns A frame of `month`, `produced` and `predicted` (MWh), `ratio` (%), `hours` and `completeness`: a row for each month that both cover, null without a comparison
 * @throws {ArgumentError} If columns are missing, rows are duplicated, no hour or month is valid in both, or production
 * and prediction cannot be of one turbine in the same unit
 *
 * @example Production of three months against a prediction
 * ```ts
 * import { compareActual } from "@vindkit/vindkit";
 * import { assertEquals } from "@std/assert";
 * import pl from "nodejs-polars";
 *
 * const month = pl.Series("month", ["2023-01-01", "2023-02-01"]).str.strptime(pl.Date, "%Y-%m-%d");
 * const production = pl.DataFrame([month, pl.Series("energy", [450, 380], pl.Float64)]);
 * const predicted = pl.DataFrame([month, pl.Series("predicted_production", [500, 400], pl.Float64)]);
 * const comparison = compareActual(production, predicted);
 * assertEquals(comparison.getColumn("ratio").toArray(), [90, 95]);
 * ```
 */
export function compareActual(
  production: DataFrame,
  predicted: DataFrame,
  options: CompareActualOptions = {},
): DataFrame {
  readOptions("compareActual()", options, OPTIONS);
  checkFrame(production, "compare production", "readProduction()");
  checkFrame(
    predicted,
    "compare production with its prediction",
    "modelData() or monthlyIndices()",
  );
  const actual = readComparedSeries(production, productionSide, completeness);
  const model = readComparedSeries(predicted, predictionSide, completeness);
  const zone = model.kind === "hour"
    ? model.timeZone
    : actual.kind === "hour"
    ? actual.timeZone
    : "UTC";
  const [covered, modelled] = [actual, model].map((series) => findCoveredMonths(series, zone));
  const span: MonthSpan = [Math.max(covered[0], modelled[0]), Math.min(covered[1], modelled[1])];
  const compared = span[0] > span[1]
    ? undefined
    : actual.kind === "hour" && model.kind === "hour"
    ? compareHours(actual, model, span)
    : compareMonths(actual, model, span, zone);
  if (!compared?.some(({ ratio }) => Number.isFinite(ratio))) {
    const advice = actual.kind === model.kind
      ? "Request model data for the months of the production. The hours of both must begin at the same minute"
      : `Months count only if ${100 * MIN_COMPLETENESS} % of their hours are valid. ` +
        "Compare hourly production with hourly model data";
    throw new ArgumentError(
      `Cannot compare production with prediction: no hour or month is valid in both. The production ` +
        `covers ${formatMonthSpan(covered)}, and the prediction covers ${
          formatMonthSpan(modelled)
        }. ${advice}`,
    );
  }
  assertLevel(
    compared.map(({ month, produced, predicted }) => [
      produced,
      predicted,
      monthOfDays(month).toString(),
    ]),
    { hourly: actual.kind === "hour", ran: false },
    refuse,
  );
  const origin = joinOrigins([options.source, predicted, production]);
  const hasAvailability = production.columns.includes(productionExtras.availability.name);
  return describeFrame(buildRows(comparisonColumns, compared), comparisonColumns, origin, [
    ...actual.notes,
    ...model.notes,
    ...(hasAvailability
      ? [
        "Availability was not used, because the ratio includes the losses of stops. checkPerformance() separates them",
      ]
      : []),
  ]);
}

function findCoveredMonths(series: HourlySeries | MonthlySeries, zone: string): MonthSpan {
  if (series.kind === "month") return findMonthSpan(series.months.map(({ number }) => number));
  const { axis } = series.grid;
  return findMonthSpan(
    [axis.start, endOfAxis(axis) - HOUR].map((at) => monthNumberOf(monthAt(at, zone))),
  );
}

/** Figures compared in a month: energies in MWh, hours and their share; NaN if unknown. */
interface Compared {
  readonly produced: number;
  readonly predicted: number;
  readonly hours: number;
  readonly completeness: number;
}

function compareHours(actual: HourlySeries, model: HourlySeries, span: MonthSpan) {
  const aligned = alignToAxis(actual.grid.axis, model.grid.axis, model.power);
  const isKnown = (power: number, i: number) => !Number.isNaN(power + actual.power[i]);
  const [first, last] = [aligned.findIndex(isKnown), aligned.findLastIndex(isKnown)];
  if (first === -1) return undefined;
  const axis = { start: actual.grid.axis.start + first * HOUR, length: last + 1 - first };
  const common = (series: Float64Array, other: Float64Array) =>
    series.slice(first, last + 1).map((power, i) => Number.isNaN(other[first + i]) ? NaN : power);
  const power = common(actual.power, aligned);
  const expected = common(aligned, actual.power);
  const largest = expected.reduce((most, value) => value > most ? value : most, 0);
  assertOneUnit(listMixedHours({ axis, power }, actual.timeZone, largest, expected), refuse);
  const months = new Map(
    listMonthSpans(axis, model.timeZone).map(({ year, month, from, to }) => {
      const validValues = (values: Float64Array) =>
        values.subarray(Math.max(0, from), to).filter((value) => !Number.isNaN(value));
      const { length: hours } = validValues(power);
      const sum = (values: Float64Array) => hours > 0 ? sumOf(validValues(values)) / 1000 : NaN;
      const sums = { produced: sum(power), predicted: sum(expected), hours };
      return [monthNumberOf({ year, month }), { ...sums, completeness: hours / (to - from) }];
    }),
  );
  const none = { produced: NaN, predicted: NaN, hours: 0, completeness: 0 };
  return listRows(span, model.timeZone, (number) => months.get(number) ?? none);
}

function compareMonths(
  actual: HourlySeries | MonthlySeries,
  model: HourlySeries | MonthlySeries,
  span: MonthSpan,
  zone: string,
) {
  const [producedMonths, predictedMonths] = [actual, model].map((series) =>
    new Map(
      (series.kind === "month" ? series.months : sumMonths(series))
        .map((month) => [month.number, month]),
    )
  );
  return listRows(span, zone, (number, hours) => {
    const [producedMonth, predictedMonth] = [
      producedMonths.get(number),
      predictedMonths.get(number),
    ];
    const produced = producedMonth?.energy ?? NaN;
    const predicted = predictedMonth?.energy ?? NaN;
    const completeness = (actual.kind === "hour" ? producedMonth : predictedMonth)?.completeness ??
      NaN;
    const valid = producedMonth?.validHours ?? NaN;
    if (Number.isNaN(valid)) return { produced, predicted, hours: NaN, completeness };
    // The prediction is scaled to the valid hours of the production.
    const share = Math.min(valid, hours) / hours;
    return {
      produced,
      predicted: predicted * share,
      hours: Math.round(valid),
      completeness: (Number.isNaN(completeness) ? 1 : completeness) * share,
    };
  });
}

/** Lists the rows of all months of a span, NaN for unknown figures. */
function listRows(
  span: MonthSpan,
  zone: string,
  compare: (number: number, hours: number) => Compared,
) {
  return listMonths(span, zone).map((month) => {
    const { produced, predicted, hours, completeness } = compare(month.number, month.hours);
    return {
      month: monthAsDays(monthOfNumber(month.number)),
      produced,
      predicted,
      ratio: predicted > 0 ? produced / predicted * 100 : NaN,
      hours,
      completeness,
    };
  });
}
