import type { DataFrame } from "nodejs-polars";
import { type MonthLike, toMonth } from "../../api/calendar.ts";
import { addedColumn, type Column, pickColumns } from "../../api/columns/column.ts";
import {
  figures as figureColumns,
  modelDataCsv,
  monthlyIndicesFrame,
  monthRecord,
  turbineId,
} from "../../api/columns/columns.ts";
import { ArgumentError } from "../../api/errors.ts";
import type { TurbineDetails } from "../../api/resources/resources.ts";
import { productionColumns } from "../../frames/production/production.ts";
import { joinOrigins } from "../../frames/origin/provenance.ts";
import type { CardRow } from "../../show/card.ts";
import { checkFrame } from "../../show/check_frame.ts";
import { declareOptions, readOptions } from "../../show/options/read_options.ts";
import { formatMonth, formatNumber } from "../../show/text/numbers.ts";
import { monthAsDays } from "../../time/zones.ts";
import {
  computeMonthlyEnergies,
  MIN_COMPLETENESS,
  type MonthlyEnergy,
} from "../../windindex/index/monthly_energy.ts";
import { type Answer, buildAnswer, writeFindings } from "../series/answer.ts";
import {
  findIndexReference,
  type IndexReference,
  type ServedNormals,
} from "../series/index_months.ts";
import { computeCurvePower, type ModelHours, readModelHours } from "../series/model_hours.ts";
import { zoneOfDetails } from "../series/turbine_stamps.ts";
import {
  buildEnergySteps,
  buildIndexSteps,
  computeMonthMean,
  readServedMonth,
  readServedNormals,
  type ServedMonth,
  type Step,
} from "./steps.ts";
import { type ExplanationFinding, units, words } from "./words.ts";

/** Largest relative difference of the month's energy from the service's without a note: rounding of power explains it. */
const SAME_ENERGY = 1e-3;

const [monthIndex, abnormality, predicted] = pickColumns(figureColumns, [
  "month_index",
  "month_abnormality_index",
  "predicted_production",
]);
const PRELIMINARY = "preliminary";

const conditions = pickColumns(modelDataCsv, ["wind_speed", "air_density"]);

/** Lists mean wind speed and air density of the month. */
function listFacts(hours: ModelHours, month: Temporal.PlainYearMonth): CardRow[] {
  return [hours.windSpeed, hours.airDensity].map((values, i) => {
    const mean = computeMonthMean(values, hours, month);
    const { label, unit, description } = conditions[i];
    return {
      label: `Mean ${label.toLowerCase()}`,
      value: mean === null ? null : formatNumber(mean, 3),
      unit,
      hint: description,
    };
  });
}

/** Lists the results. */
function listResults(steps: readonly Step[], month: string): ExplanationFinding[] {
  const valueOf = (quantity: string) =>
    steps.find((step) => step.quantity === quantity)?.value ?? null;
  const [index, normal] = [valueOf(monthIndex.label), valueOf(abnormality.label)];
  const gaps = steps.flatMap(({ quantity, value, served }) =>
    value === null || served === null ? [] : [{
      quantity,
      share: Math.abs(value - served) / Math.max(Math.abs(served), 1e-9),
    }]
  ).sort((a, b) => b.share - a.share);
  const findings: ExplanationFinding[] = [];
  if (index !== null && normal !== null) {
    findings.push({ code: "month", month, index, abnormality: normal });
  }
  if (gaps.length > 0) {
    const [{ quantity, share }] = gaps;
    findings.push({
      code: "steps_compared",
      compared: gaps.length,
      steps: steps.length,
      gap: 100 * share,
      largest: quantity,
    });
  }
  return findings;
}

/** Difference of a value from the service's, %. */
const gapOf = (value: number, served: number) => 100 * (value / served - 1);

/** Lists figures that could not be recomputed, with reasons. */
function listNotes(
  entry: MonthlyEnergy,
  reference: IndexReference | undefined,
  hasCurve: boolean,
  served: ServedNormals,
  { figures, status }: ServedMonth,
): ExplanationFinding[] {
  const notes: ExplanationFinding[] = [];
  const servedEnergy = figures(predicted);
  if (servedEnergy && entry.energy !== null) {
    const gap = gapOf(entry.energy / 1000, servedEnergy);
    if (Math.abs(gap) > 100 * SAME_ENERGY) notes.push({ code: "other_energy", gap });
  }
  if (status === PRELIMINARY) notes.push({ code: "preliminary" });
  if (entry.energy === null) {
    const { completeness } = entry;
    notes.push({ code: "too_few_hours", completeness, needed: MIN_COMPLETENESS });
  }
  if (!hasCurve) notes.push({ code: "no_power" });
  return reference
    ? [...notes, ...findReference(reference, served)]
    : [...notes, { code: "no_normal" }];
}

/** Describes how the reference period was found. */
function findReference(
  { period: { years }, known, normals }: IndexReference,
  { year, month }: ServedNormals,
): ExplanationFinding[] {
  if (known === "declared") return [];
  const served = { from: years[0], to: years.at(-1)!, with_month: month !== undefined };
  if (known === "found") return [{ code: "reference_found", ...served }];
  const figures = { ...served, years: years.length };
  if (known === "chosen") return [{ code: "reference_chosen", ...figures }];
  if (year === undefined) return [{ code: "reference_assumed", ...figures }];
  return [{
    code: "reference_unknown",
    ...figures,
    year_gap: gapOf(normals.year, year.energy),
    month_gap: month ? gapOf(normals.months[month.name - 1], month.energy) : null,
  }];
}

const [month] = pickColumns(monthlyIndicesFrame, ["month"]);
const [year] = pickColumns(monthRecord, ["year"]);
const [energy] = pickColumns(productionColumns.month, ["energy"]);

/** The steps of `explainIndex()`; units differ by row. */
const stepColumns: readonly Column[] = [
  addedColumn("quantity", "utf8", "Quantity", "Quantity that is computed."),
  addedColumn("value", "f64", "Value", "Result of the calculation."),
  addedColumn("unit", "utf8", "Unit", "Unit of the value."),
  addedColumn(
    "served",
    "f64",
    "Served",
    "Value of the service; null if the service has no value or the value is 0.",
  ),
  addedColumn(
    "gap",
    "f64",
    "Gap",
    "Value less the value of the service, in % of the latter; null if the service has no value or the value is 0.",
    "%",
  ),
  addedColumn("calculation", "utf8", "Calculation", "Calculation from the rows above."),
];

/** The same calendar month in each year, of `explainIndex()`. */
const yearsOfMonthColumns: readonly Column[] = [
  { ...month, description: "The calendar month in the year." },
  year,
  { ...energy, description: "Modelled energy of this calendar month in the year, of one turbine." },
  addedColumn(
    "in_reference",
    "bool",
    "In the reference period",
    "Whether the year belongs to the reference period.",
  ),
];

/** Input of `explainIndex()`: data of one turbine from the service. */
export interface ExplainIndexData {
  /** Details from `turbineDetails()`. */
  readonly details: TurbineDetails;
  /** Model data from `modelData()`: the month, and the whole years of the reference period. */
  readonly model: DataFrame;
  /** Monthly indices from `monthlyIndices()` with the month. */
  readonly indices: DataFrame;
}

/** Options of {@linkcode explainIndex}. */
export interface ExplainIndexOptions {
  /**
   * First and last year of the reference period, if known.
   * @default all whole years of the model data, at most the last 20, or the span of years that gives the service's
   * normal year and month
   */
  readonly referenceYears?: readonly [first: number, last: number];
}

/** Calculation of the figures of a month; it shows itself in notebooks and on the console. */
export interface IndexExplanation extends Answer {
  /** The month, "2023-05". */
  readonly month: string;
  /**
   * `steps` in order: `quantity`, `value`, `unit`, `served`, `gap` and `calculation`; units differ by row. `years`, the
   * same calendar month in each year: `month`, `year`, `energy` (MWh), `in_reference`.
   */
  readonly frames: { readonly steps: DataFrame; readonly years: DataFrame };
}

const ACTION = "explain the index";

function assertSameTurbine(model: DataFrame, id: string, month: string): void {
  if (!model.columns.includes(turbineId.name)) return;
  const others = model.getColumn(turbineId.name).unique().toArray().filter((turbine) =>
    turbine !== id
  );
  if (others.length === 0) return;
  throw new ArgumentError(
    `Cannot ${ACTION} of ${month}: the model data are for ${
      others.sort().join(", ")
    }, but the details are for ${id}. Give both for the same turbine`,
  );
}

function findEntry(
  months: readonly MonthlyEnergy[],
  month: Temporal.PlainYearMonth,
): MonthlyEnergy {
  const entry = months.find((one) => one.year === month.year && one.month === month.month);
  if (entry && entry.validHours > 0) return entry;
  const valid = months.filter(({ validHours }) => validHours > 0);
  const label = ({ year, month }: MonthlyEnergy) => `${year}-${String(month).padStart(2, "0")}`;
  const covered = valid.length === 0
    ? "have no power"
    : `cover ${label(valid[0])} to ${label(valid[valid.length - 1])}`;
  throw new ArgumentError(
    `Cannot ${ACTION} of ${month}: the model data ${covered}. Ask modelData() for this month`,
  );
}

function listStepRows(steps: readonly Step[]) {
  return steps.map(({ value, served, ...step }) => ({
    ...step,
    value,
    served,
    gap: value === null || served === null || served === 0 ? null : 100 * (value / served - 1),
  }));
}

function listYears(
  months: readonly MonthlyEnergy[],
  entry: MonthlyEnergy,
  reference: IndexReference | undefined,
) {
  return months.filter(({ month }) => month === entry.month).map((
    { year, month, energy },
  ) => ({
    month: monthAsDays(new Temporal.PlainYearMonth(year, month)),
    year,
    energy: energy === null ? null : energy / 1000,
    in_reference: reference?.period.years.includes(year) ?? false,
  }));
}

const DATA = declareOptions<ExplainIndexData>()("details! model! indices!");

function checkData(data: ExplainIndexData): ExplainIndexData {
  readOptions("explainIndex()", data, DATA);
  checkFrame(data.model, "explain an index with the model", "modelData()");
  checkFrame(data.indices, "explain an index", "monthlyIndices()");
  return data;
}

const OPTIONS = declareOptions<ExplainIndexOptions>()("referenceYears");

/**
 * Recomputes a service's figures of a month from model data, power curve and reference period, step by step, and
 * compares each step with the value of the service.
 *
 * The energy of the month is the sum of its hourly power, scaled to all hours of the month in the turbine's zone; 100
 * % is one twelfth of the mean year of the reference period, or its mean month of the same name. Power is recomputed from
 * wind speed, air density and power curve as IEC 61400-12-1 corrects for density.
 *
 * @param data Details, model data and monthly indices of one turbine
 * @param month The month: "2023-05"
 * @param options `referenceYears`: first and last year of the reference period, if known
 * @returns The frames `steps` and `years` (the same calendar month of each year), and sentences
 * @throws {ArgumentError} If a column is missing, the month is not in the model data or the indices, a year of the
 * reference period is not whole, or the data belong to several turbines
 *
 * @example How an index is computed
 * ```ts
 * import { explainIndex, modelData, monthlyIndices, turbineDetails } from "@vindkit/vindkit";
 * import { assert } from "@std/assert";
 *
 * const [details, model, indices] = await Promise.all([
 *   turbineDetails("T1"),
 *   modelData("T1"),
 *   monthlyIndices("T1", { from: "2023-05", to: "2023-05" }),
 * ]);
 * const explained = explainIndex({ details, model, indices }, "2023-05");
 * const gaps = explained.frames.steps.getColumn("gap").dropNulls().toArray() as number[];
 * assert(gaps.every((gap) => Math.abs(gap) < 0.5)); // %: speeds are served to a thousandth of a m/s
 * ```
 */
export function explainIndex(
  data: ExplainIndexData,
  month: MonthLike,
  options: ExplainIndexOptions = {},
): IndexExplanation {
  readOptions("explainIndex()", options, OPTIONS);
  const { details, model, indices } = checkData(data);
  const wanted = toMonth(month);
  const label = wanted.toString();
  assertSameTurbine(model, details.turbine_id, label);
  const served = readServedMonth(indices, details.turbine_id, label);
  const read = readModelHours(model, ACTION);
  // An index has the months of the turbine's zone, whatever the zone of the timestamps.
  const timeZone = zoneOfDetails(details) ?? read.timeZone;
  const hours = { ...read, timeZone };
  const months = computeMonthlyEnergies(hours.power, hours.axis, hours.timeZone);
  const entry = findEntry(months, wanted);
  const servedNormal = readServedNormals(served.figures, wanted.month);
  const reference = findIndexReference(months, servedNormal, options.referenceYears);
  const curve = computeCurvePower(hours, details);
  const steps = [
    ...buildEnergySteps(hours, curve, entry, served.figures),
    ...buildIndexSteps(months, entry, reference, served.figures),
  ];
  return buildAnswer({ month: label }, {
    title: `Indices of ${details.name || details.turbine_id} in ${
      formatMonth(label)
    }, step by step`,
    facts: listFacts(hours, wanted),
    frames: {
      steps: { title: "Steps", columns: stepColumns, rows: listStepRows(steps) },
      years: { columns: yearsOfMonthColumns, rows: listYears(months, entry, reference) },
    },
    findings: writeFindings(
      words,
      units,
      listResults(steps, label),
      listNotes(entry, reference, curve !== undefined, servedNormal, served),
    ),
    origin: joinOrigins([indices, model]),
  });
}
