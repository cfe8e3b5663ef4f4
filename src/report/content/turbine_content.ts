import { pickColumns } from "../../api/columns/column.ts";
import { figures, predictedInterval } from "../../api/columns/columns.ts";
import type { MonthFigures, PredictedInterval } from "../../api/columns/month_columns.ts";
import type { TurbineDetails } from "../../api/resources/resources.ts";
import { comparisonColumns, MIN_COMPARED } from "../../analysis/series/compared_series.ts";
import type { Verdict } from "../../analysis/verdict/row.ts";
import { type About, explainUseless } from "../../analysis/verdict/words.ts";
import { judgeByIndex, scaleVerdict } from "../../analysis/verdict/verdict.ts";
import { shortenText } from "../../show/text/plain_text.ts";
import {
  findCompletePeriods,
  listMonthsTo,
  type MonthRows,
  readMonthRows,
  selectIndices,
} from "./months.ts";
import {
  describeCalibration,
  readReferenceYears,
  type ReferenceYears,
  type TurbineReport,
  warnOfShortReference,
} from "./turbine_report.ts";
import { messages } from "./messages.ts";
import { findOrigin, readSourceFacts, type ReportOrigin, type SourceFacts } from "./sources.ts";
import { computeOwnerShare, type OwnerShare } from "../../frames/ownership.ts";
import { extractEpochs, extractNumbers } from "../../frames/frame.ts";
import { monthAt } from "../../time/zones.ts";
import { listGiven } from "../../show/text/lists.ts";

/**
 * Describes power limits and lasting changes of a turbine's production, or the smallest change that would show; empty if
 * the check did not search for any.
 */
function describeLimitsAndChanges(
  { performance, noPerformance, details }: TurbineReport,
): string[] {
  if (noPerformance !== undefined) {
    return [messages.changes.notSearched(shortenText(noPerformance, 400))];
  }
  if (!performance) return [];
  const { frames: { changes }, smallestChange, findings } = performance;
  const limits = findings.filter(({ code }) => code === "power_limits").map(({ text }) => text);
  const names = ["size", "size_low", "size_high", "lost"];
  const [size, low, high, lost] = names.map((name) => extractNumbers(changes, name));
  const from = extractEpochs(changes, "from");
  const monthOf = (instant: number) => monthAt(instant, details.time_zone ?? "UTC").toString();
  if (changes.height === 0) {
    return [...limits, ...(smallestChange === null ? [] : [messages.changes.none(smallestChange)])];
  }
  const sentences = Array.from(size, (share, i) => {
    const ends = [low[i], high[i]].map((end) => Math.sign(share) * end).sort((a, b) => a - b);
    return messages.changes.step(monthOf(from[i]), share, ends[0], ends[1], lost[i]);
  });
  return [...limits, ...sentences];
}

/** Months of history that a report shows. */
export const HISTORY_MONTHS = 24;

/** The figures in the order of a report: first the comparison of the month with its season, which readers ask for most. */
export const shownFigures = pickColumns(figures, [
  "month_abnormality_index",
  "month_index",
  "last12_month_index",
  "last_full_quarter_index",
  "last_full_year_index",
  "predicted_production",
]);

/** Columns of the comparison that a report shows. */
export const comparedColumns = pickColumns(comparisonColumns, ["produced", "predicted", "ratio"]);

/** Produced and predicted energy in the same hours of a month, by column name. */
export interface MonthComparison {
  readonly produced: number | null;
  readonly predicted: number | null;
  readonly ratio: number | null;
  /** Hours compared; `null` if both cover the whole month. */
  readonly hours: number | null;
  /** Share of the month's hours that are compared; for whole months, the completeness of the measured or modelled data. */
  readonly completeness: number | null;
}

/** The six figures of a period and the interval, by column name. */
export type Figures = Readonly<
  Record<keyof MonthFigures | keyof PredictedInterval, number | null>
>;

/** Figures of a month and its production. */
export interface MonthContent extends Figures {
  /** "2023-05". */
  readonly month: string;
  readonly status: string | null;
  readonly completeness: number | null;
  readonly revision: number | null;
  /** `null` without a comparison. */
  readonly compared: MonthComparison | null;
  /** Was it the wind or the turbine? `null` without figures. */
  readonly verdict: Verdict | null;
  /** Share of the owner, 0 to 1. @default none */
  readonly share?: number;
}

/** Months as a line of coloured fields. */
export type Strip = readonly (Pick<MonthContent, "month" | "status"> & {
  readonly value: number | null;
})[];

/** Scales the energies of a month to several turbines or to a share. */
export function multiplyEnergies(content: MonthContent, factor: number): MonthContent {
  if (factor === 1) return content;
  const { compared, verdict } = content;
  const multiply = (value: number | null) => value === null ? null : factor * value;
  return {
    ...content,
    predicted_production: multiply(content.predicted_production),
    predicted_production_low: multiply(content.predicted_production_low),
    predicted_production_high: multiply(content.predicted_production_high),
    compared: compared && {
      ...compared,
      produced: multiply(compared.produced),
      predicted: multiply(compared.predicted),
    },
    verdict: verdict && scaleVerdict(verdict, factor),
  };
}

/** A figure of the month of the report, with its sentence. */
export interface FigureSentence {
  /** Name of the column. */
  readonly name: string;
  readonly label: string;
  readonly unit: string;
  readonly value: number | null;
  readonly sentence: string;
}

/** The content of the report on a turbine, as plain data. */
export interface TurbineContent {
  readonly id: string;
  /** Display name. */
  readonly name: string;
  /** Name of its files, without extension. */
  readonly file: string;
  readonly details: TurbineDetails;
  /** Number of turbines of the entry. */
  readonly units: number;
  readonly month: string;
  /** Months up to the month of the report, in order. */
  readonly months: readonly MonthContent[];
  /** The owner whose share is shown. @default none */
  readonly owner: string | undefined;
  readonly sentences: readonly FigureSentence[];
  /** The years whose mean is 100 %; `undefined` if the service does not report them. */
  readonly reference: ReferenceYears | undefined;
  /** Sentences that apply to all figures. */
  readonly remarks: readonly string[];
  readonly sources: readonly SourceFacts[];
  readonly origin: ReportOrigin;
  /** Input of the content. */
  readonly report: TurbineReport;
}

/** The month of the report. */
export function reportMonthOf({ months }: TurbineContent): MonthContent {
  return months[months.length - 1];
}

/** The months of a turbine, scaled to an owner's share in all turbines of the entry. */
export const listOwnMonths = ({ months, units }: TurbineContent): MonthContent[] =>
  months.map((one) => multiplyEnergies(one, units * one.share!));

/** Whether the reanalysis may still revise a month. */
export function isPreliminary({ status, predicted_production: energy }: MonthContent): boolean {
  return status === "preliminary" && energy !== null;
}

/** Share of a month's hours that a comparison covers; `null` if it covers the whole month. */
export function partialShareOf({ hours, completeness: share }: MonthComparison): number | null {
  return hours !== null && share !== null && share < MIN_COMPARED ? share : null;
}

/** Number of turbines of an entry of our service; 1 for other services, which do not report it. */
export function unitsOf({ units }: TurbineDetails): number {
  return typeof units === "number" && Number.isInteger(units) && units > 1 ? units : 1;
}

/** Whether the service delivers uncalibrated figures for a turbine. */
export const isUncalibrated = (details: TurbineDetails): boolean =>
  details.data_ready === true && details.calibrated === false;

/** Display name of a turbine, or its id. It also marks uncalibrated figures, so they are marked everywhere. */
export function nameOf(details: TurbineDetails): string {
  const name = shortenText((details.name || details.turbine_id).trim() || details.turbine_id, 80);
  if (isUncalibrated(details)) return messages.turbine.uncalibrated(name);
  return explainUseless(details) === null ? name : messages.turbine.useless(name);
}

function readComparison(rows: MonthRows | undefined, month: string): MonthComparison | null {
  const [produced, predicted, ratio] = comparedColumns
    .map((column) => rows?.number(column.name, month) ?? null);
  if (produced === null || ratio === null) return null;
  return {
    produced,
    predicted,
    ratio,
    hours: rows!.number("hours", month),
    completeness: rows!.number("completeness", month),
  };
}

/** Why the turbine cannot be judged in a month; `undefined` if only its production is missing. */
function explainNoVerdict(
  { details, performance, noComparison, noPerformance }: TurbineReport,
  month: string,
): About {
  const useless = explainUseless(details);
  if (useless) return useless;
  const reason = noPerformance ?? noComparison;
  if (reason !== undefined) return { reason: shortenText(reason, 400).replace(/\.$/, "") };
  const last = performance?.verdicts.at(-1)?.period;
  return last === undefined || last === month
    ? {}
    : { reason: messages.missing.production(month, last) };
}

/** The verdict on a month, from the check or else from the index; without production, the value of its wind. */
function readVerdict(
  report: TurbineReport,
  [first, last]: readonly [number | null, number | null],
  content: Omit<MonthContent, "verdict">,
): Verdict | null {
  const { month: period, compared } = content;
  const checked = report.performance?.verdicts.find((one) => one.period === period);
  if (checked) return checked;
  const { predicted_production: value, month_abnormality_index: index } = content;
  if (value === null || !index) return null;
  // the share of the hours compared, as for the prediction
  const part = compared?.predicted ? compared.predicted / value : 1;
  return judgeByIndex({
    period,
    predicted: part * value,
    normal: part * 100 * value / index,
    low: part * (content.predicted_production_low ?? NaN),
    high: part * (content.predicted_production_high ?? NaN),
    reference_from: first,
    reference_to: last,
    ...(compared && compared.produced !== null && {
      produced: compared.produced,
      // for whole months, no production is excluded if the model lacks an hour or two
      completeness: compared.hours === null && compared.completeness! >= MIN_COMPARED
        ? 1
        : compared.completeness,
    }),
  }, explainNoVerdict(report, period));
}

function readMonth(
  rows: MonthRows,
  compared: MonthRows | undefined,
  month: string,
): Omit<MonthContent, "verdict"> {
  const values = [...shownFigures, ...predictedInterval].map(({ name }) =>
    [name, rows.number(name, month)] as const
  );
  return {
    month,
    ...Object.fromEntries(values) as Figures,
    status: rows.text("status", month),
    completeness: rows.number("completeness", month),
    revision: rows.number("revision", month),
    compared: readComparison(compared, month),
  };
}

/** Builds the sentence of each figure of the month, or why it is missing. */
function buildSentences(
  content: MonthContent,
  { comparison, noComparison }: TurbineReport,
): FigureSentence[] {
  const { month, completeness: share, compared, month_abnormality_index: abnormality } = content;
  const { turbine, missing } = messages;
  const { quarter, year } = findCompletePeriods(month);
  // A month without data shows no figures at all, not even of complete periods before it.
  const without = (last: string) => content.month_index === null && last < month ? month : null;
  const incomplete = missing.month(month, share !== null && share < MIN_COMPARED ? share : null);
  const sentences: Record<keyof MonthFigures, [(value: number) => string, string]> = {
    month_index: [
      (value) => turbine.month_index(month, value, abnormality ? 100 * value / abnormality : null),
      incomplete,
    ],
    month_abnormality_index: [(value) => turbine.month_abnormality_index(month, value), incomplete],
    last12_month_index: [
      (value) => turbine.last12_month_index(month, value),
      missing.twelve(month),
    ],
    last_full_quarter_index: [
      (value) => turbine.last_full_quarter_index(...quarter, value),
      missing.quarter(...quarter, without(quarter[1])),
    ],
    last_full_year_index: [
      (value) => turbine.last_full_year_index(year, value),
      missing.year(year, without(`${year}-12`)),
    ],
    predicted_production: [
      (value) => turbine.predicted_production(value, content),
      incomplete,
    ],
  };
  const indices = shownFigures.map((column): FigureSentence => {
    const value = content[column.name];
    const [describe, missingText] = sentences[column.name];
    return {
      name: column.name,
      label: column.label,
      unit: column.unit!,
      value,
      sentence: value === null ? missingText : describe(value),
    };
  });
  const ratio = comparedColumns[2];
  const { produced = null, predicted = null } = compared ?? {};
  const part = compared && partialShareOf(compared);
  return [...indices, {
    name: ratio.name,
    label: messages.labels.ratio,
    unit: ratio.unit!,
    value: compared?.ratio ?? null,
    sentence: produced !== null && predicted
      ? turbine.produced(produced, predicted, part)
      : comparison
      ? missing.compared(month)
      : noComparison !== undefined
      ? missing.notCompared(shortenText(noComparison, 400))
      : missing.comparison,
  }];
}

/**
 * Builds the content of the report on a turbine.
 *
 * @throws {ArgumentError} If the indices lack a column, or have no row of the turbine
 */
export function buildTurbineContent(
  report: TurbineReport,
  month: string,
  file: string,
  origin: ReportOrigin,
  share?: OwnerShare,
): TurbineContent {
  const { details, comparison } = report;
  const id = details.turbine_id;
  const monthNames = listMonthsTo(month, HISTORY_MONTHS);
  const rows = readMonthRows(selectIndices(id, report.indices));
  const comparedRows = comparison && readMonthRows(comparison);
  const reference = readReferenceYears(report);
  const months = monthNames.map((one): MonthContent => {
    const content = readMonth(rows, comparedRows, one);
    return {
      ...content,
      verdict: readVerdict(report, reference ?? [null, null], content),
      ...(share && { share: computeOwnerShare(share, id, one) }),
    };
  });
  const last = months[months.length - 1];
  const units = unitsOf(details);
  return {
    id,
    name: nameOf(details),
    file,
    details,
    units,
    month,
    months,
    owner: months.some(({ share }) => share) ? share!.owner : undefined,
    sentences: buildSentences(last, report),
    reference,
    remarks: listGiven(
      ...warnOfShortReference([reference]),
      ...describeCalibration(report),
      units > 1 && messages.turbine.units(units),
      isPreliminary(last) && messages.preliminary,
      !details.data_ready && messages.notReady,
      ...describeLimitsAndChanges(report),
    ),
    sources: listGiven(
      readSourceFacts(messages.sources.indices, report.indices),
      comparison && readSourceFacts(messages.sources.comparison, comparison),
    ),
    origin: findOrigin(origin, [report.indices, comparison]),
    report,
  };
}
