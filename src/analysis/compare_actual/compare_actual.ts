import pl, { type DataFrame } from "nodejs-polars";
import { pickColumns } from "../../api/columns/column.ts";
import { modelDataCsv, monthlyIndicesFrame } from "../../api/columns/columns.ts";
import { ArgumentError } from "../../api/errors.ts";
import { polarsType } from "../../frames/dtype.ts";
import { buildSeries } from "../../frames/frame.ts";
import { productionExtras } from "../../frames/production/production_columns.ts";
import { describeFrame, joinOrigins } from "../../frames/provenance.ts";
import { buildRefuse } from "../../frames/read_columns.ts";
import { monthAsDays, monthOfNumber } from "../../time/zones.ts";
import { MIN_COMPLETENESS } from "../../windindex/index/monthly_energy.ts";
import { assertLevel } from "../series/assert_level.ts";
import {
  type HourlySeries,
  type MonthlySeries,
  readComparedSeries,
  type SideColumns,
} from "../series/compared_series.ts";
import {
  buildLocalMonthNumber,
  findMonthSpan,
  formatMonthSpan,
  listMonths,
  type MonthSpan,
} from "../series/local_months.ts";
import { productionSide, sumMonths } from "../series/monthly_production.ts";
import { comparisonColumns } from "../series/comparison_columns.ts";
import { checkOptions, nameOptions } from "../../show/options/check_options.ts";
import { checkFrame } from "../../show/check_frame.ts";

/** Options of {@linkcode compareActual}. */
export interface CompareActualOptions {
  /** Frame from which the prediction was made, where that lost its sources. @default the prediction */
  readonly source?: DataFrame;
}

const [hour, power] = pickColumns(modelDataCsv, ["time", "power"]);
const [month, predictedProduction, completeness] = pickColumns(
  monthlyIndicesFrame,
  ["month", "predicted_production", "completeness"],
);

const predictionSide: SideColumns = {
  what: "the prediction",
  hourly: [hour, power],
  monthly: [month, predictedProduction],
};

const OPTIONS = nameOptions<CompareActualOptions>()("source");

/**
 * Compares what a turbine produced with what the model predicts, month by month.
 *
 * Hours are compared with hours: only those valid in both count, and they belong to the local month of the prediction's
 * zone. Otherwise months are compared with months: hours are summed by their own zone where at least 98 % of a
 * month's are valid, and scaled to all of them. The prediction of a month of production with `valid_hours` is scaled to
 * these; `availability` is not used, so that the ratio includes the losses of stops. A park's production must be divided by its number of turbines first:
 * the model is of one.
 *
 * @param production Hours (`time` with a zone, `power` in kW) or months (`month`, `energy` in MWh, perhaps `valid_hours`)
 * of one turbine; regular
 * steps below an hour are averaged as `toHours()` does, and the note below the frame says so
 * @param predicted Model data (`time`, `power`) or monthly indices (`month`, `predicted_production`) of the same turbine
 * @param options `source`: the frame from which the prediction was made, where that lost its sources
 * @returns A frame of `month`, `produced` and `predicted` (MWh), `ratio` (%), `hours` and `completeness`: a row for each month that both cover, null where there is nothing to compare
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
  checkOptions("compareActual()", options, OPTIONS);
  checkFrame(production, "compare production", "readProduction()");
  checkFrame(
    predicted,
    "compare production with its prediction",
    "modelData() or monthlyIndices()",
  );
  const actual = readComparedSeries(production, productionSide, completeness);
  const model = readComparedSeries(predicted, predictionSide, completeness);
  const zone = model.kind === "hourly"
    ? model.timeZone
    : actual.kind === "hourly"
    ? actual.timeZone
    : "UTC";
  const [covered, modelled] = [actual, model].map((series) => findCoveredMonths(series, zone));
  const span: MonthSpan = [Math.max(covered[0], modelled[0]), Math.min(covered[1], modelled[1])];
  const compared = span[0] > span[1]
    ? undefined
    : actual.kind === "hourly" && model.kind === "hourly"
    ? compareHours(actual, model, span)
    : compareMonths(actual, model, span, zone);
  if (!compared || compared.getColumn("ratio").nullCount() === compared.height) {
    const advice = actual.kind === model.kind
      ? "Ask for model data of the months of the production"
      : `Of hours, months count only with ${100 * MIN_COMPLETENESS} % of them valid: ` +
        "compare hourly production with hourly model data";
    throw new ArgumentError(
      `Cannot compare production with prediction: nothing is valid in both. The production ` +
        `covers ${formatMonthSpan(covered)}, the prediction ${
          formatMonthSpan(modelled)
        }. ${advice}`,
    );
  }
  const [made, expected] = ["produced", "predicted"]
    .map((name) => compared.getColumn(name).toArray() as (number | null)[]);
  assertLevel(
    made.map((energy, i) => [energy, expected[i]]),
    { hourly: actual.kind === "hourly", ran: false },
    buildRefuse("compare production with prediction"),
  );
  const origin = joinOrigins([options.source, predicted, production]);
  const hasAvailability = production.columns.includes(productionExtras.availability.name);
  return describeFrame(compared, comparisonColumns, origin, [
    ...actual.notes,
    ...model.notes,
    ...(hasAvailability
      ? [
        "Availability is not used: the ratio includes the losses of stops, which checkPerformance() separates",
      ]
      : []),
  ]);
}

function findCoveredMonths(series: HourlySeries | MonthlySeries, zone: string): MonthSpan {
  if (series.frame.height === 0) {
    throw new ArgumentError("Cannot compare production with prediction: one of them has no rows");
  }
  return findMonthSpan(
    series.kind === "monthly" ? series.frame : series.frame.select(buildLocalMonthNumber(zone)),
  );
}

function compareHours(actual: HourlySeries, model: HourlySeries, span: MonthSpan): DataFrame {
  const both = actual.frame.join(
    model.frame.withColumnRenamed("power", "model_power"),
    { on: "time", how: "inner" },
  ).filter(pl.col("power").isNotNull().and(pl.col("model_power").isNotNull()));
  const sums = both.withColumn(buildLocalMonthNumber(model.timeZone)).groupBy("number").agg(
    pl.col("power").sum().div(pl.lit(1000)).alias("produced"),
    pl.col("model_power").sum().div(pl.lit(1000)).alias("predicted"),
    pl.col("power").count().cast(pl.Float64).alias("compared"),
  );
  const compared = pl.col("compared").fillNull(pl.lit(0));
  const frame = listMonths(span, model.timeZone).join(sums, { on: "number", how: "left" });
  return buildComparison(
    frame.withColumns(
      compared.alias("hours"),
      compared.div(pl.col("month_hours")).alias("completeness"),
    ),
  );
}

function compareMonths(
  actual: HourlySeries | MonthlySeries,
  model: HourlySeries | MonthlySeries,
  span: MonthSpan,
  zone: string,
): DataFrame {
  const months = listMonths(span, zone);
  const [produced, predicted] = [actual, model].map((series) =>
    series.kind === "monthly" ? series.frame : sumMonths(series, months)
  );
  const completeness = actual.kind === "hourly" ? produced : predicted;
  const valid = actual.kind === "monthly"
    ? actual.frame.select("number", "valid_hours")
    : undefined;
  const frame = months
    .join(produced.select(pl.col("number"), pl.col("energy").alias("produced")), left)
    .join(predicted.select(pl.col("number"), pl.col("energy").alias("predicted")), left)
    .join(completeness.select("number", "completeness"), left);
  if (!valid) return buildComparison(frame.withColumn(pl.lit(null).alias("hours")));
  return buildComparison(scaleToValid(frame.join(valid, left)));
}

/** Scales predictions to the valid hours of the production; all hours count where these are unknown. */
function scaleToValid(frame: DataFrame): DataFrame {
  const valid = pl.minHorizontal([pl.col("valid_hours"), pl.col("month_hours")]);
  const known = pl.col("valid_hours").isNotNull();
  const share = pl.when(known).then(valid.div(pl.col("month_hours"))).otherwise(pl.lit(1));
  return frame.withColumns(
    pl.col("predicted").mul(share).alias("predicted"),
    pl.when(known).then(pl.col("completeness").fillNull(pl.lit(1)).mul(share))
      .otherwise(pl.col("completeness")).alias("completeness"),
    pl.col("valid_hours").round(0).alias("hours"),
  );
}

const left = { on: "number", how: "left" } as const;

/** Builds the frame with its declared columns, in the order of the months. */
function buildComparison(frame: DataFrame): DataFrame {
  const sorted = frame.sort("number");
  const ratio = pl.col("produced").div(pl.col("predicted")).mul(pl.lit(100));
  const days = (sorted.getColumn("number").toArray() as number[])
    .map((number) => monthAsDays(monthOfNumber(number)));
  return sorted.withColumns(
    buildSeries(month, days),
    pl.when(pl.col("predicted").gt(pl.lit(0))).then(ratio).otherwise(pl.lit(null)).alias("ratio"),
  ).select(...comparisonColumns.map((column) => pl.col(column.name).cast(polarsType(column))));
}
