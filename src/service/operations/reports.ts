import { toWire } from "../../api/columns/column_table.ts";
import type { ReportMonthItem, ReportTurbineItem } from "../../api/columns/report_columns.ts";
import type { ReportId } from "../../api/operations/reports.ts";
import {
  type MonthlyReportResource,
  type ReportedCalibration,
  reportedFigureTable,
  type ReportedIntervals,
  reportedMonthTable,
  type ReportedReference,
} from "../../api/resources/report_resource.ts";
import { formatMonthLabel, monthNumberOf } from "../../time/zones.ts";
import { isWhole } from "../../windindex/calibration/calibration.ts";
import { listMarks } from "../../sites/calibration/calibration_notes.ts";
import { judgeCalibration } from "../../windindex/calibration/judge_calibration.ts";
import { measureUnseenFit } from "../../windindex/calibration/unseen_fit.ts";
import { INTERVAL_LEVEL } from "../../windindex/uncertainty/error_terms.ts";
import { parametersOf } from "../../windindex/scaling/wind_scaling.ts";
import { type Answer, buildOriginHeaders, numberOf, textOf } from "./call.ts";
import { Refusal } from "../../storage/jobs/refusal.ts";
import type { StoredCalibration, StoredMonth } from "../../sites/keep/site_record.ts";
import { findTurbine } from "./licensed_turbines.ts";
import { answerTurbineList } from "./turbine_list.ts";
import { sitesOf } from "../../sites/keep/sites.ts";
import { buildTaggedJson } from "../responses/http_headers.ts";

const HISTORY_MONTHS = 12;

const hasFigures = (month: StoredMonth) => month.month_index !== null;

const reportTurbines: Answer = async (call) => {
  const toItems = async (ids: readonly string[]) =>
    (await sitesOf(call.store).lastMonths(ids)).map((
      { turbine_id, ...month },
    ): ReportTurbineItem => ({
      turbine_id,
      last_available_report: formatMonthLabel(month),
    }));
  return await answerTurbineList(call, toItems, "no turbine of the licence has reports");
};

const reportMonths: Answer = async (call) => {
  const { turbine, ...origin } = await findTurbine(call, "not_found");
  const months = (await sitesOf(call.store).months(turbine.id)).filter(hasFigures);
  if (months.length === 0) throw new Refusal("no_data", `${turbine.id} has no reports yet`);
  const items = months.map((month): ReportMonthItem => ({ month: formatMonthLabel(month) }));
  return buildTaggedJson(items, await buildOriginHeaders(call.store, origin));
};

function buildReferencePeriod(
  { referenceYears, meanAnnualEnergy, uncertainty }: StoredCalibration,
): ReportedReference {
  const { longTerm, interAnnualVariability: variability } = uncertainty;
  return {
    first_year: referenceYears[0],
    last_year: referenceYears[referenceYears.length - 1],
    mean_annual_production: meanAnnualEnergy / 1000,
    mean_annual_production_low: longTerm.low / 1000,
    mean_annual_production_high: longTerm.high / 1000,
    inter_annual_variability: variability && 100 * variability,
  };
}

function buildCalibration(stored: StoredCalibration): ReportedCalibration {
  const { k, scaling, smoothing, candidates, hours, residual, periods } = stored.calibration;
  const unseen = measureUnseenFit(periods);
  const judgement = judgeCalibration(stored);
  const percent = (share: number | null) => share === null ? null : 100 * share;
  return {
    revision: stored.revision,
    k,
    k_low: stored.uncertainty.k.low,
    k_high: stored.uncertainty.k.high,
    scaling: scaling.kind,
    parameters: parametersOf(scaling),
    smoothing,
    candidates: candidates.map(({ kind, folding, smoothing, error }) => ({
      scaling: kind,
      smoothing,
      left_out: folding === "years" ? "years" : "periods",
      error: 100 * error,
    })),
    reanalyses: stored.reanalyses.map((one) => ({
      service_id: one.serviceId,
      weight: one.weight,
      k: one.calibration.k,
      error: percent(one.error),
      lag: one.lag,
      trend: one.trend,
    })),
    training_start: stored.trainingStart,
    training_end: stored.trainingEnd,
    periods: periods.filter(isWhole).length,
    hours,
    residual: percent(residual),
    unseen_error: percent(unseen?.error ?? null),
    unseen_correlation: unseen?.r ?? null,
    unseen_outages: unseen?.outages ?? 0,
    unseen_error_counted: percent(unseen?.countedError ?? null),
    verdict: judgement?.verdict ?? null,
    reason: judgement?.reason ?? null,
    findings: stored.findings,
  };
}

function buildIntervals({ uncertainty }: StoredCalibration): ReportedIntervals {
  const { draws, seed, parts } = uncertainty;
  return {
    level: INTERVAL_LEVEL,
    draws,
    seed,
    parts: {
      calibration: 100 * parts.calibration,
      season: 100 * parts.season,
      level: 100 * parts.level,
      spread: 100 * parts.spread,
    },
  };
}

const monthlyReport: Answer = async (call) => {
  const { turbine, calibration: current, attribution } = await findTurbine(call, "not_found");
  const period = textOf(call, "period");
  const wantedMonth = Temporal.PlainYearMonth.from(period);
  const revision = numberOf(call, "revision");
  // Published reports stay readable even if the turbine has lost its production since.
  if (!current && revision === -1) {
    throw new Refusal("no_data", `${turbine.id} is not calibrated yet`);
  }
  const month = await sitesOf(call.store).month(
    turbine.id,
    wantedMonth.year,
    wantedMonth.month,
    revision === -1 ? undefined : revision,
  );
  if (!month || !hasFigures(month)) {
    throw new Refusal("not_found", `${turbine.id} has no report of ${period} with that revision`);
  }
  // A report of an old revision has the calibration and the history of its time.
  const calibration = await sitesOf(call.store).calibration(turbine.id, month.calibration) ??
    current;
  if (!calibration) throw new Refusal("no_data", `${turbine.id} is not calibrated yet`);
  const end = monthNumberOf(month);
  const history = (await sitesOf(call.store).months(turbine.id, month.edition)).filter((entry) => {
    const number = monthNumberOf(entry);
    return number > end - HISTORY_MONTHS && number <= end;
  });
  const report: MonthlyReportResource = {
    turbine_id: turbine.id,
    name: turbine.name,
    period,
    revision: month.revision,
    status: month.status,
    completeness: month.completeness,
    indices: toWire(reportedFigureTable, month),
    history: history.map((entry) => ({
      period: formatMonthLabel(entry),
      ...toWire(reportedMonthTable, entry),
    })),
    reference_period: buildReferencePeriod(calibration),
    calibration: buildCalibration(calibration),
    intervals: buildIntervals(calibration),
    notes: [...new Set([...listMarks(calibration), ...calibration.notes])],
  };
  return buildTaggedJson(
    report,
    await buildOriginHeaders(call.store, { attribution, calibration }),
  );
};

/** Answers of the report group. */
export const reportAnswers: Record<ReportId, Answer> = {
  report_turbines: reportTurbines,
  report_months: reportMonths,
  monthly_report: monthlyReport,
};
