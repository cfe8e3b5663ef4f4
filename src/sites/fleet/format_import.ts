import {
  formatCount,
  formatNumber,
  formatPercent,
  joinNames,
  listNames,
} from "../../show/text/numbers.ts";
import { formatMonthLabel } from "../../time/zones.ts";
import { type Calibration, isWhole } from "../../windindex/calibration/calibration.ts";
import { measureUnseenFit } from "../../windindex/calibration/unseen_fit.ts";
import type { Interval } from "../../windindex/uncertainty/error_terms.ts";
import { parametersOf } from "../../windindex/scaling/wind_scaling.ts";
import { ENGINE_VERSION } from "../../windindex/power_model.ts";
import type { RevisedMonths, StoredCalibration } from "../keep/site_record.ts";
import { GROUPS } from "../calibration/calibration_notes.ts";
import type { CalibrationOutcome, ImportedTurbine } from "../calibration/compute_turbine.ts";
import type { ImportResult } from "./store_site.ts";
import { formatFailures, type TurbineFailure } from "../site_data.ts";
import { judgeCalibration } from "../../windindex/calibration/judge_calibration.ts";
import type { ImportedFigures } from "./plan_site.ts";

const LEGEND = [
  "  Capacity factor: mean power of the valid hours divided by rated power. Error: typical difference",
  "  of a month (or year) from the prediction of a fit without it, in % of a mean month. If months",
  "  differ independently, 11 % is about 3 % of a year. Correlation: predicted with produced months.",
];

/** Formats how well the wind predicts the production of a turbine. */
function formatFit({ calibration }: ImportedFigures): string {
  const unseen = calibration && measureUnseenFit(calibration.calibration.periods);
  if (!unseen) return "too few months to test the predictions";
  const { r, error, countedError, outages } = unseen;
  const all = (r === null ? "" : `correlation ${r.toFixed(3)}, `) +
    `error ${formatPercent(100 * error)}`;
  if (outages === 0) return all;
  const counted = countedError === null ? "" : `error ${formatPercent(100 * countedError)}; `;
  return `${counted}${outages} of ${unseen.periods} left out as outages; including them, ${all}`;
}

function formatLine(turbine: ImportedFigures): string {
  const { production, calibration } = turbine;
  if (!production) {
    return calibration ? "UNCALIBRATED index of its place" : "no production, so no index";
  }
  const { from, to, validHours, capacityFactor } = production;
  const judgement = calibration && judgeCalibration(calibration);
  return `${from} to ${to}, ${formatNumber(validHours)} h valid, capacity factor ${
    formatPercent(100 * capacityFactor)
  }, ${formatFit(turbine)}${judgement ? `; calibration ${judgement.verdict}` : ""}`;
}

/**
 * Formats the summary of an import: failed turbines with reasons, a line for each other turbine, then the problems to
 * check, each once for all turbines it concerns.
 *
 * @param turbines The computed turbines and the kept ones
 * @param failures Turbines that were not imported
 */
export function formatSummary(
  turbines: readonly ImportedFigures[],
  failures: readonly TurbineFailure[],
): string[] {
  const width = Math.max(0, ...turbines.map(({ turbine }) => turbine.id.length));
  const doubts = Map.groupBy(
    turbines.flatMap(({ turbine, doubts }) => doubts.map((one) => ({ ...one, id: turbine.id }))),
    ({ cause }) => cause,
  );
  const others = turbines.reduce((count, { findings }) => count + findings.length, 0);
  const noDoubts = others === 0
    ? "No problems found."
    : `Findings in the details of the calibration: ${others}. Read them before you use the figures.`;
  return [
    ...failures.length === 0 ? [] : [
      "",
      "Not imported; please check:",
      ...formatFailures(failures),
    ],
    "",
    "Summary",
    ...turbines.map((one) => `  ${one.turbine.id.padEnd(width)}  ${formatLine(one)}`),
    ...LEGEND,
    "",
    ...doubts.size === 0 ? [noDoubts] : [
      "Please check:",
      ...[...doubts.values()].map((group) => {
        const [{ id, text }] = group;
        const figures = group.every((one) => one.text === text) ? "" : ` (Figures of ${id}.)`;
        return `  ${listNames(group.map((one) => one.id))}: ${text}${figures}`;
      }),
    ],
  ];
}

/** Formats a 90 % interval in brackets. */
function formatInterval(bounds: Interval, digits: number, unit = 1): string {
  const [low, high] = [bounds.low, bounds.high].map((value) => formatNumber(value / unit, digits));
  return ` (90 %: ${low} to ${high})`;
}

/** Formats how the wind is scaled and the power curve smoothed. */
function formatScaling(
  { k, scaling, smoothing }: Calibration,
  uncertainty: StoredCalibration["uncertainty"],
): string {
  const single = `${k.toFixed(4)}${formatInterval(uncertainty.k, 4)}`;
  const values = parametersOf(scaling).map(({ value }) => value);
  const how = scaling.kind === "factor"
    ? `wind speed of the climate times k = ${single}`
    : `wind speed of the climate times a factor for each ${GROUPS[scaling.kind]}, ${
      Math.min(...values).toFixed(3)
    } to ${Math.max(...values).toFixed(3)} (a single factor would be k = ${single})`;
  return `${how}; power curve smoothed by ${smoothing} m/s`;
}

/** Formats the agreement with unseen and with fitted periods. */
function formatAgreement({ periods, residual }: Calibration): string {
  const used = formatCount(periods.filter(isWhole).length, "period");
  const fit = `${used} fitted` +
    (residual === null ? "" : `, which differ from the fit by ${formatPercent(100 * residual)}`);
  const unseen = measureUnseenFit(periods);
  if (!unseen) return fit;
  const r = unseen.r === null ? "" : `, correlation ${unseen.r.toFixed(3)}`;
  const outages = unseen.outages === 0 ? "" : `, ${unseen.outages} of them outages`;
  const counted = unseen.outages === 0 || unseen.countedError === null
    ? ""
    : ` (without the outages ${formatPercent(100 * unseen.countedError)})`;
  return `${formatCount(unseen.periods, "period")}${outages}, each predicted without it: error ${
    formatPercent(100 * unseen.error)
  }${counted}${r}; ${fit}`;
}

/** Reasons for calibrating a turbine again. */
const AGAIN: Readonly<Partial<Record<CalibrationOutcome, string>>> = {
  requested: ", as requested",
  "other engine":
    ` with engine ${ENGINE_VERSION}, a new model, so the figures of all months change`,
  "other declaration": ", because the turbine or its reanalyses have changed",
  "other production":
    ", because the production it was fitted to has other values or other masked hours",
};

/** Formats how the calibration was obtained, if that matters to a reader. */
function formatOutcome(outcome: CalibrationOutcome, revision: number): string[] {
  if (outcome === "unchanged") {
    return [
      `  calibration ${revision} is kept, because the production it was fitted to is unchanged. It does ` +
      "not use later production; --recalibrate fits all production",
    ];
  }
  if (outcome === "neighbours missing") {
    return [
      `  calibration ${revision} is kept until the failed turbines nearby are imported again`,
    ];
  }
  const why = AGAIN[outcome];
  return why === undefined ? [] : [`  calibrated again, revision ${revision}${why}`];
}

/** Most months named; more are counted. */
const MAX_NAMED = 3;

/** Formats which published months changed, and which others changed with them. */
function formatRevised({ newEnergy, trailing }: RevisedMonths): string[] {
  const count = newEnergy.length + trailing;
  if (count === 0) return [];
  const named = newEnergy.length <= MAX_NAMED
    ? newEnergy.join(", ")
    : `${newEnergy.length} of ${newEnergy[0]} to ${newEnergy[newEnergy.length - 1]}`;
  return [
    `  published months with a new revision: ${count}; ` + [
      ...(newEnergy.length > 0 ? [`with a new energy: ${named}`] : []),
      ...(trailing > 0
        ? [
          `${trailing} with a new status or a new figure of twelve months, a quarter or a year`,
        ]
        : []),
    ].join("; "),
  ];
}

/** Most failed turbines named in a line. */
const MAX_FAILED = 12;

/** Largest relative difference between equal annual energies: machines differ in the last digits. */
const SAME = 1e-9;

/** Formats how much the present climate differs from the climate of the kept reference. */
function formatDrift(kept: number, present: number | null): string {
  const drift = present === null ? 0 : present / kept - 1;
  return Math.abs(drift) <= SAME
    ? ""
    : `. The climate has changed since the calibration, so these years now give ${
      drift > 0 ? "+" : ""
    }${(100 * drift).toFixed(3)} %; --recalibrate includes this in the indices`;
}

function formatTurbine(computed: ImportedTurbine, revised: RevisedMonths | undefined): string[] {
  const { turbine, calibration, outcome, months, filled, findings, doubts } = computed;
  const isSettled = (line: string) => !doubts.some(({ text }) => text === line);
  const climate = `climate ${
    computed.climate.map(({ serviceId, hours, completeness }) =>
      `${serviceId} ${formatNumber(hours)} h, ${formatPercent(100 * completeness)} complete`
    ).join("; ")
  }`;
  if (!calibration) {
    return [`${turbine.id}: ${climate}; no production, so no calibration and no indices`];
  }
  const { periods, hours } = calibration.calibration;
  const { revision, uncertainty, meanAnnualEnergy, referenceYears } = calibration;
  const possible = periods.reduce((sum, period) => sum + period.hours, 0);
  const withFigures = months.filter((month) => month.month_index !== null);
  const span = [withFigures[0], withFigures[withFigures.length - 1]].map(formatMonthLabel).join(
    " to ",
  );
  const variability = uncertainty.interAnnualVariability;
  return [
    `${turbine.id}${turbine.name === turbine.id ? "" : ` (${turbine.name})`}: ${
      formatScaling(calibration.calibration, uncertainty)
    }`,
    ...(periods.length > 0 ? [`  ${formatAgreement(calibration.calibration)}`] : []),
    ...formatOutcome(outcome, revision),
    `  ${climate}`,
    ...(calibration.trainingStart === null ? [] : [
      `  production ${calibration.trainingStart} to ${calibration.trainingEnd}: ${
        formatNumber(hours)
      } of ${formatNumber(possible)} h used, ` +
      formatPercent(100 * hours / possible),
    ]),
    `  indices ${span}, ${withFigures.length} months; 100 % is the mean of ` +
    `${referenceYears[0]} to ${
      referenceYears[referenceYears.length - 1]
    } (${referenceYears.length} years)`,
    `  a mean year of them gives ${formatNumber(meanAnnualEnergy / 1000)} MWh` +
    formatInterval(uncertainty.longTerm, 0, 1000) +
    (variability ? `; single years vary by ${formatPercent(100 * variability)}` : "") +
    formatDrift(meanAnnualEnergy, computed.presentAnnualEnergy),
    ...(revised ? formatRevised(revised) : []),
    ...filled.map((line) => `  ${line}`),
    ...calibration.notes.filter(isSettled).map((note) => `  ${note}`),
    ...findings.filter(isSettled).map((finding) => `  found: ${finding}`),
  ];
}

/** Names the turbines that were not imported; the summary lists all of them with reasons. */
function formatExcept(failures: readonly TurbineFailure[]): string {
  const ids = failures.map(({ id }) => id);
  return ids.length === 0 ? "" : `, except ${joinNames(ids, MAX_FAILED)} (see Not imported)`;
}

/**
 * Formats the report of an import: the calibration of each turbine, then the summary and the problems to check.
 */
export function formatImport(result: ImportResult): string {
  if (result.unchanged) return `${result.site}: unchanged, nothing to do`;
  const { turbines, kept, revised, failures } = result;
  const blocks = turbines.map((one) => formatTurbine(one, revised.get(one.turbine.id)));
  const [[, ...first] = [], ...others] = blocks;
  const shared = others.length === 0
    ? []
    : first.filter((line) => others.every((block) => block.includes(line)));
  return [
    `${result.site}: imported${formatExcept(failures)}`,
    ...blocks.flatMap((block) => block.filter((line) => !shared.includes(line))),
    ...shared.length === 0
      ? []
      : [`All ${blocks.length} turbines${kept.length > 0 ? " computed" : ""}:`, ...shared],
    ...kept.length === 0 ? [] : [
      `${
        listNames(kept.map(({ turbine }) => turbine.id))
      }: not computed, because declaration, climate and ` +
      "production are unchanged; --recalibrate computes all",
    ],
    ...formatSummary([...turbines, ...kept], failures),
  ].join("\n");
}
