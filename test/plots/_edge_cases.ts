/**
 * Every chart at the limits of its input: many turbines, long names, one month, forty years, and no, negative or huge
 * values.
 */
import pl, { type DataFrame } from "nodejs-polars";
import { modelDataCsv } from "../../src/api/columns/columns.ts";
import { buildFrame, type ColumnValues, extractNumbers } from "../../src/frames/frame.ts";
import { describeFrame } from "../../src/frames/origin/provenance.ts";
import { referenceColumns } from "../../src/analysis/compare_references/fit.ts";
import type { Chart } from "../../src/plots/drawing/chart.ts";
import {
  plotActualAgainstPredicted,
  plotAvailability,
  plotBudget,
  plotCompleteness,
  plotCorrelation,
  plotCoverageMap,
  plotFleetIndices,
  plotFleetMap,
  plotIndexCalendar,
  plotLongTerm,
  plotMonthlyIndices,
  type PlotOptions,
  plotPerformance,
  plotPowerCurve,
  plotProof,
  plotReferences,
  plotShortfall,
  plotTimeSeries,
  plotUncertainty,
  plotWindRose,
} from "../../mod.ts";
import { monthAsDays } from "../../src/time/zones.ts";
import { buildDetails, buildIndicesFrame, buildOrigin } from "./_frames.ts";
import { buildPointsFrame, buildWindFrame, computeScatter } from "./_wind_frames.ts";

/** Input of the charts. */
export interface EdgeCase {
  readonly months: number;
  readonly names: readonly string[];
  /** Converts an ordinary value. */
  readonly change: (value: number) => number | null;
}

const listNames = (count: number, name: (i: number) => string) =>
  Array.from({ length: count }, (_, i) => name(i + 1));

const ordinary: EdgeCase = {
  months: 30,
  names: ["T1", "T2", "T3"],
  change: (value) => value,
};

/** The cases by name. */
export const edgeCases: Readonly<Record<string, EdgeCase>> = {
  ordinary,
  "one month": { ...ordinary, months: 1 },
  "forty years": { ...ordinary, months: 480 },
  "forty turbines": { ...ordinary, names: listNames(40, (i) => `Turbine ${i}`) },
  "long names": {
    ...ordinary,
    names: listNames(6, (i) => `Windpark Nordfriesland Süd-Ost, Umspannwerk Husum, WEA ${i}`),
  },
  "no values": { ...ordinary, change: () => null },
  "negative values": { ...ordinary, change: (value) => -value },
  "huge values": { ...ordinary, change: (value) => value * 1e7 },
};

const number = (name: string, values: readonly (number | null)[]) =>
  pl.Series(name, [...values], pl.Float64);

function buildMonths(count: number) {
  const first = Temporal.PlainYearMonth.from("1984-01");
  const days = Array.from({ length: count }, (_, i) => monthAsDays(first.add({ months: i })));
  return pl.Series("month", days, pl.Float64).cast(pl.Int32).cast(pl.Date);
}

function sum(values: readonly (number | null)[]): (number | null)[] {
  let total: number | null = 0;
  return values.map((value) => total = total === null || value === null ? null : total + value);
}

/** A chart of a case; a call draws it or throws. */
export interface EdgeChart {
  (): Chart;
  /** The frames of the chart. */
  readonly frames: readonly DataFrame[];
}

/** Every chart of a case, by name. */
export function buildEveryChart(
  { months, names, change }: EdgeCase,
  options: PlotOptions = {},
): Record<string, EdgeChart> {
  const [id] = names;
  const list = (count: number, value: (i: number) => number) =>
    Array.from({ length: count }, (_, i) => change(value(i)));
  const sample = (frame: DataFrame) => describeFrame(frame, [], buildOrigin("sample"));
  const changeColumns = (frame: DataFrame, columns: readonly string[]) =>
    sample(columns.reduce((all, name) => {
      const values = [...extractNumbers(all, name)];
      return all.withColumn(
        number(name, values.map((value) => Number.isNaN(value) ? null : change(value))),
      );
    }, frame));
  const figures = [
    "month_index",
    "month_abnormality_index",
    "last12_month_index",
    "last_full_year_index",
    "predicted_production",
    "predicted_production_low",
    "predicted_production_high",
  ];
  const indices = changeColumns(
    buildIndicesFrame({ turbines: [id], from: "1984-01", months }),
    figures,
  );
  const fleet = changeColumns(
    buildIndicesFrame({ turbines: names, from: "1984-01", months: Math.min(months, 36) }),
    figures,
  );
  const park = sample(fleet.filter(pl.col("turbine_id").isIn(names.slice(0, 6))));
  const hours = Math.min(months * 730, 20_000);
  const wind = describeFrame(
    buildWindFrame({
      speeds: list(hours, (i) => 8 + 6 * Math.sin(i / 400) + 2 * computeScatter(i)),
      directions: Array.from({ length: hours }, (_, i) => 360 * computeScatter(i)),
      powers: list(hours, (i) => 900 + 800 * Math.sin(i / 400)),
      world: "sample",
    }).withColumn(pl.lit(id).alias("turbine_id")),
    modelDataCsv,
    buildOrigin("sample", "model_data"),
  );
  const speeds = wind.select("turbine_id", "time", "wind_speed");
  const powers = wind.select("turbine_id", "time", "power");
  const ratios = list(months, (i) => 100 + 30 * Math.sin(1.7 * i));
  const comparison = sample(pl.DataFrame([
    buildMonths(months),
    number("produced", ratios.map((ratio) => ratio === null ? null : 5 * ratio)),
    number("predicted", list(months, () => 500)),
    number("ratio", ratios),
    number("band_low", ratios.map((_, i) => 88 - i % 3)),
    number("band_high", ratios.map((_, i) => 112 + i % 3)),
    pl.Series(
      "state",
      ratios.map((ratio, i) =>
        ratio === null ? null : ratio < 88 - i % 3 ? "low" : ratio > 112 + i % 3 ? "high" : "normal"
      ),
      pl.Utf8,
    ),
    number("completeness", ratios.map((_, i) => i % 9 === 4 ? 0.4 : 1)),
  ]));
  const expected = list(12, (i) => 900 + 300 * Math.cos(i / 2));
  const produced = expected.map((value, i) => i < 5 && value !== null ? 0.95 * value : null);
  const times = (values: readonly (number | null)[], factor: number) =>
    values.map((value) => value === null ? null : value * factor);
  const budget = sample(pl.DataFrame([
    buildMonths(12),
    number("expected", expected),
    number("low", times(expected, 0.7)),
    number("high", times(expected, 1.3)),
    number("produced", produced),
    number("cumulative_expected", sum(expected)),
    number("cumulative_low", times(sum(expected), 0.9)),
    number("cumulative_high", times(sum(expected), 1.1)),
    number("cumulative_produced", sum(produced)),
  ]));
  const availability = sample(pl.DataFrame([
    buildMonths(months),
    number("time_availability", times(ratios, 0.9)),
    number("production_availability", times(ratios, 0.95)),
    number("production_availability_low", times(ratios, 0.9)),
    number("production_availability_high", ratios),
  ]));
  const stopNames = ["Forced Outage", "Scheduled Maintenance", "Out of Electrical Specification"];
  const stops = sample(pl.concat(stopNames.map((category) =>
    pl.DataFrame([
      buildMonths(months),
      pl.Series("category", ratios.map(() => category), pl.Utf8),
      pl.Series("counts", ratios.map(() => "unavailable"), pl.Utf8),
      number("hours", list(months, (i) => i % 7)),
      number("lost", list(months, (i) => i % 5)),
    ])
  )));
  const proofPeriods = sample(pl.DataFrame([
    pl.Series("period", expected.map((_, i) => `2018-${i + 1}`), pl.Utf8),
    number("produced", expected),
    number("predicted", times(expected, 1.1)),
    number("low", times(expected, 0.7)),
    number("high", times(expected, 1.3)),
  ]));
  const proofLengths = sample(pl.DataFrame([
    number("months", [1, 12, 240]),
    number("month_most", [20, 10, 9]),
    number("year_most", [15, 4, 1]),
  ]));
  const years = Array.from({ length: Math.ceil(months / 12) }, (_, i) => 1984 + i);
  const record = sample(pl.DataFrame([
    pl.Series("year", years, pl.Int32),
    ...["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"].map(
      (name, m) =>
        number(name, years.map((_, y) => 12 * y + m < months ? 1 - (m * y % 7) / 9 : null)),
    ),
  ]));
  const longTerm = sample(pl.DataFrame([
    pl.Series("method", [...names], pl.Utf8),
    ...Object.entries({
      p50: 9770,
      low: 9622,
      high: 9920,
    }).map(([name, value]) => number(name, list(names.length, (i) => value + 60 * i))),
    number("months", names.map(() => months)),
  ]));
  const uncertainty = sample(pl.DataFrame([
    pl.Series("share", [...names], pl.Utf8),
    number("standard_error", list(names.length, (i) => 1 + i % 7)),
    number("of_variance", list(names.length, () => 100 / names.length)),
  ]));
  const exceedance = sample(pl.DataFrame([
    pl.Series("years", [1, 10, 20], pl.Int32),
    number("p50", list(3, () => 9770)),
    number("p75", list(3, (i) => 9299 + 150 * i)),
    number("p90", list(3, (i) => 8875 + 290 * i)),
  ]));
  const rows = names.map((name, i): Readonly<Record<string, string | number | null>> => ({
    rank: i + 1,
    name,
    monthly_r: 0.98 - 0.01 * i,
    monthly_r_low: 0.95 - 0.01 * i,
    monthly_r_high: 0.99 - 0.01 * i,
    hourly_r: 0.9 - 0.01 * i,
    bias: 0,
    distance_to_request_location: 5 + i,
    trend: change(-1.2 + i),
    trend_low: change(-4.4),
    trend_high: change(2 + i),
    years: 20,
    notes: "",
  }));
  const references = describeFrame(
    buildFrame(
      referenceColumns,
      Object.fromEntries(
        referenceColumns.map((
          { name },
        ) => [name, rows.map((row) => row[name] ?? null) as ColumnValues]),
      ),
    ),
    referenceColumns,
    buildOrigin("sample", "download_climate"),
  );
  const changes = list(Math.min(8, names.length), (i) => -60 + 15 * i);
  const [all, ...others] = [change(6200), ...changes];
  const steps = sample(pl.DataFrame([
    pl.Series("step", ["Expected", ...names.slice(0, 8), "Actual"], pl.Utf8),
    number("energy", [all, ...others, sum([all, ...others]).at(-1)!]),
  ]));
  const positions = sample(pl.DataFrame([
    pl.Series("turbine_id", [...names], pl.Utf8),
    number("latitude", names.map((_, i) => 55 + 0.3 * Math.floor(i / 8))),
    number("longitude", names.map((_, i) => 8 + 0.5 * (i % 8))),
    number("month_abnormality_index", list(names.length, (i) => 80 + 3 * i)),
  ]));
  const details = { ...buildDetails({ turbine_id: id, name: id }) };
  const points = buildPointsFrame([[55.5, 7.75], [55.5, 8], [55.25, 7.75]], "sample");
  const draw = (
    plot: (frame: DataFrame, options: PlotOptions) => Chart,
    ...frames: readonly [DataFrame, ...DataFrame[]]
  ) => Object.assign(() => plot(frames[0], options), { frames });
  return {
    plotMonthlyIndices: draw(plotMonthlyIndices, indices),
    "plotMonthlyIndices of a fleet": draw(plotMonthlyIndices, park),
    plotFleetIndices: draw(plotFleetIndices, fleet),
    plotIndexCalendar: draw(plotIndexCalendar, indices),
    plotTimeSeries: draw(plotTimeSeries, wind),
    plotWindRose: draw(plotWindRose, wind),
    plotCorrelation: draw(
      (x, options) => plotCorrelation(x, powers, { ...options, yColumn: "power" }),
      speeds,
      powers,
    ),
    plotPerformance: draw(plotPerformance, comparison),
    plotActualAgainstPredicted: draw(plotActualAgainstPredicted, comparison),
    plotAvailability: draw(
      (months, options) =>
        plotAvailability({ frames: { months, monthCategories: stops } }, options),
      availability,
      stops,
    ),
    plotBudget: draw(plotBudget, budget),
    plotCompleteness: draw(plotCompleteness, record),
    plotLongTerm: draw(plotLongTerm, longTerm),
    plotUncertainty: draw(
      (uncertainty, options) => plotUncertainty({ frames: { uncertainty, exceedance } }, options),
      uncertainty,
      exceedance,
    ),
    plotReferences: draw(plotReferences, references),
    plotProof: draw(
      (periods, options) => plotProof({ frames: { periods, lengths: proofLengths } }, options),
      proofPeriods,
      proofLengths,
    ),
    plotShortfall: draw(plotShortfall, steps),
    plotFleetMap: draw(plotFleetMap, positions),
    plotCoverageMap: draw(
      (frame, options) => plotCoverageMap(frame, { ...options, turbine: details }),
      points,
    ),
    plotPowerCurve: draw(
      (points, options) => plotPowerCurve(details, { ...options, points }),
      wind,
    ),
  };
}
