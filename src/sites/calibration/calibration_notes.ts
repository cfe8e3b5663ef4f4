import type { Calibration, CalibrationPeriod } from "../../windindex/calibration/calibration.ts";
import { K_RANGE } from "../../windindex/scaling/energy_ladder.ts";
import type { ReanalysisChoice } from "../../windindex/reanalyses/choose_reanalyses.ts";
import type { MonthlyEnergy } from "../../windindex/index/monthly_energy.ts";
import { describeShares } from "../../frames/production/period_shares.ts";
import type { Production } from "../../windindex/calibration/production.ts";
import {
  MAX_REFERENCE_YEARS,
  type ReferencePeriod,
} from "../../windindex/index/reference_period.ts";
import type { Turbine } from "../../windindex/turbine/turbine.ts";
import {
  judgeCalibration,
  type JudgedCalibration,
  type Judgement,
} from "../../windindex/calibration/judge_calibration.ts";
import { isCalibrated, measureUnseenFit } from "../../windindex/calibration/unseen_fit.ts";
import { LOCATION_ERRORS } from "../../windindex/uncertainty/uncertainty.ts";
import { findLevelTrend } from "../../windindex/uncertainty/site_errors.ts";
import { parametersOf } from "../../windindex/scaling/wind_scaling.ts";
import { formatCount, formatSigned } from "../../show/text/numbers.ts";
import type { CombinedReanalyses } from "./combine_reanalyses.ts";
import type { StoredDoubt } from "../keep/site_record.ts";
import type { Exclusion } from "../site_data.ts";

/** Fewest years whose mean counts as normal. */
const MIN_NORMAL_YEARS = 10;

interface CalibrationInputs {
  readonly turbine: Turbine;
  readonly combined: CombinedReanalyses;
  readonly production: readonly Production[];
  /** Days that the site file excludes. */
  readonly exclusions: readonly Exclusion[];
  /** Sentences on the averaging to hours and on unknown shares. */
  readonly productionNotes: readonly string[];
  readonly months: readonly MonthlyEnergy[];
  readonly reference: ReferencePeriod;
}

/** Names of the groups that have a factor each, by kind of scaling. */
export const GROUPS = {
  season: "season",
  sector: "wind direction",
  hour: "quarter of the day",
} as const;

const formatShare = (share: number) => `${(100 * share).toFixed(1)} %`;

const CHOICES: Readonly<Record<ReanalysisChoice["kind"], string>> = {
  single: "The index uses the reanalysis with the smallest error",
  mean:
    "The index uses the mean of their powers, because it predicts unseen periods clearly better than each alone",
  weights:
    "The index uses the weighted mean of their powers, because it predicts unseen periods clearly better than each alone",
};

/** Describes how the reanalyses compare and which are used for the index; empty if there is only one. */
function describeReanalyses({ fitted, choice }: CombinedReanalyses): string[] {
  if (fitted.length === 1) return [];
  const { kind, weights, errors, error } = choice;
  const compared = fitted.map(({ serviceId }, i) =>
    `${serviceId} ${errors[i] === null ? "(not compared)" : formatShare(errors[i])}` +
    (kind === "weights" ? ` (${(100 * weights[i]).toFixed(0)} % of the mean)` : "")
  );
  const [first] = fitted;
  const how = error === null
    ? `With fewer than six common periods, the index uses the first reanalysis, ${first.serviceId}`
    : CHOICES[kind] + (kind === "single" ? "" : ` (${formatShare(error)})`);
  return [
    `Prediction error of each reanalysis in unseen periods: ${compared.join(", ")}. ${how}.`,
  ];
}

/** The mark of a location index, on everything made from it. */
const UNCALIBRATED_MARK =
  "UNCALIBRATED location index (k = 1, no production). At calibrated sites, it differs from the calibrated " +
  `index by less than ${LOCATION_ERRORS.month} % in nine of ten months, and by less than ${LOCATION_ERRORS.year} % over twelve months. Its energy is usually too high.`;

/** The mark of a useless calibration, on everything made from it. */
const buildUselessMark = ({ reason }: Judgement) =>
  `USELESS calibration: this wind does not explain this production (${reason}).`;

/** Lists the marks that figures of a calibration carry: for a location index, and for a useless calibration. */
export function listMarks(stored: JudgedCalibration | null = null): string[] {
  if (!stored) return [];
  const judgement = judgeCalibration(stored);
  if (!judgement) return [UNCALIBRATED_MARK];
  return judgement.verdict === "useless" ? [buildUselessMark(judgement)] : [];
}

/** Display name of a turbine. It repeats the mark of the figures, so every table and chart shows it. */
export function markName(stored: JudgedCalibration | null, name: string): string {
  if (listMarks(stored).length === 0) return name;
  return `${name} (${isCalibrated(stored!.calibration) ? "useless calibration" : "uncalibrated"})`;
}

/** Describes the remedy for a poor or useless calibration; empty for others. */
export function describeJudgement(stored: JudgedCalibration): StoredDoubt[] {
  const judgement = judgeCalibration(stored);
  if (!judgement?.remedy) return [];
  const { verdict, reason, remedy } = judgement;
  const text = verdict === "useless"
    ? `${buildUselessMark(judgement)} Do not use its figures. ${remedy}`
    : `Poor calibration: ${reason}. ${remedy}`;
  return [{ text, cause: `${verdict} calibration: ${remedy}` }];
}

/** Describes the scaling and the smoothing that the calibration chose. */
export function describeScaling(
  { scaling, smoothing, candidates, k, periods }: Calibration,
): string[] {
  const usual = candidates.filter((one) =>
    one.smoothing === candidates[0]?.smoothing && one.folding === "neighbours"
  );
  const errors = usual.map(({ kind, error }) => `${kind} ${formatShare(error)}`);
  const compared = candidates.length > 1
    ? ` Prediction error in unseen periods with a smoothing of ${candidates[0].smoothing} m/s: ${
      errors.join(", ")
    }. The calibration uses the simplest scaling within one standard error of the best.`
    : periods.length > 0
    ? " Too few periods to compare it with other scalings."
    : "";
  const byYears = candidates.some(({ folding }) => folding === "years");
  const widths = candidates.filter(({ kind, folding }) =>
    kind === scaling.kind && (folding === "years") === byYears
  ).toSorted((a, b) => a.smoothing - b.smoothing).map((one) =>
    `${one.smoothing} m/s ${formatShare(one.error)}`
  );
  const smoothed = widths.length > 1
    ? ` Prediction error in unseen ${
      byYears ? "years, month by month," : "periods"
    } by smoothing: ${widths.join(", ")}. The calibration uses a smoothing other than ${
      candidates[0].smoothing
    } m/s only if it is clearly better.`
    : "";
  const listed = parametersOf(scaling).map(({ name, value }) => `${name} ${value.toFixed(3)}`).join(
    ", ",
  );
  const isEqual = new Set(parametersOf(scaling).map(({ value }) => value.toFixed(3))).size === 1;
  const how = scaling.kind === "factor"
    ? `one factor, k ${k.toFixed(4)}`
    : isEqual
    ? `one factor, k ${k.toFixed(4)}, because the factors of each ${
      GROUPS[scaling.kind]
    } do not differ`
    : `a factor for each ${GROUPS[scaling.kind]}: ${listed}`;
  return [
    `Wind speed is scaled by ${how}.${compared}`,
    `The power curve is averaged over a normal spread of wind speeds of ${smoothing} m/s.${smoothed}`,
  ];
}

/**
 * Describes doubts about a calibration that a person must resolve.
 *
 * @param reference Years whose mean is 100 %
 */
export function describeDoubts(
  { scaling, periods }: Calibration,
  { years }: ReferencePeriod,
): string[] {
  const outages = measureUnseenFit(periods)?.outages ?? 0;
  const [low, high] = K_RANGE;
  const atEnd = scaling.kind !== "factor" &&
    parametersOf(scaling).some(({ value }) => value < 1.01 * low || value > 0.99 * high);
  return [
    ...(atEnd
      ? [
        `The factor of a group is at the end of the searched range, ${low} to ${high}, so the interval is cut off ` +
        "there. Check production, hub height and power curve.",
      ]
      : []),
    ...(outages > 0
      ? [
        "The calibration leaves out some months or years of production as outages, because " +
        'they produced far less than their wind predicts. Check their figures, or declare known outages with "exclude".',
      ]
      : []),
    ...(years.length < MIN_NORMAL_YEARS
      ? [
        `A reference period of ${formatCount(years.length, "year")} says little ` +
        `about what is normal. Give climate data of ten years or more. Vindkit uses up to ${MAX_REFERENCE_YEARS}.`,
      ]
      : []),
  ];
}

/** Describes a drift of production against the model in the training years. */
export function describeTrend({ periods }: Calibration): string[] {
  const trend = findLevelTrend(periods);
  if (!trend) return [];
  const { slope, reach, years: [first, last] } = trend;
  const [low, high] = [slope - reach, slope + reach].map((share) => formatSigned(100 * share, 1));
  return [
    `The ratio of produced to modelled energy changed by ${
      formatSigned(100 * slope, 1)
    } % (${low} to ${high}) a year from ` +
    `${first} to ${last}. Either the turbine or the level of the reanalysis has changed. The intervals allow for it.`,
  ];
}

function describeStops(production: readonly Production[]): string[] {
  return [
    ...(production.some(({ kind }) => kind === "hourly")
      ? ["The fit excludes hours of standstill, so predictions assume no standstill."]
      : []),
    ...(production.some(({ kind }) => kind === "periods")
      ? [
        "The energies of months or years contain ordinary stops, so predicted production is lower by these stops.",
      ]
      : []),
  ];
}

/** Describes periods whose energy covers only a share of their hours. */
function describePartialPeriods(production: readonly Production[]): string[] {
  const periods = production.flatMap((entry) => entry.kind === "periods" ? entry.periods : [])
    .filter(({ energy }) => !Number.isNaN(energy));
  const shares = describeShares(periods.map(({ share = 1 }) => share));
  return shares === undefined ? [] : [
    `${shares}, by valid hours or availability, so they are compared with that share of the modelled ` +
    "energy. Predicted production covers all hours.",
  ];
}

/** Describes the periods left out; adjacent ones with the same reason form one span. */
function describeLeftOut(periods: readonly CalibrationPeriod[]): string[] {
  const spans: { first: string; last: string; reason: string }[] = [];
  let before: CalibrationPeriod | undefined;
  for (const period of periods) {
    const { label, used, reason } = period;
    const last = spans[spans.length - 1];
    if (!used && before && !before.used && last.reason === reason) last.last = label;
    else if (!used) spans.push({ first: label, last: label, reason });
    before = period;
  }
  if (spans.length === 0) return [];
  const listed = spans.map(({ first, last, reason }) =>
    `${first === last ? first : `${first} to ${last}`} (${reason})`
  );
  return [`Left out of the calibration: ${listed.join(", ")}.`];
}

function describeReference(months: readonly MonthlyEnergy[], { years }: ReferencePeriod): string[] {
  const last = years[years.length - 1];
  const later = months.filter(({ year, energy }) => year === last + 1 && energy !== null);
  return later.length === 12 && later.some(({ preliminary }) => preliminary)
    ? [
      `${last + 1} is not part of the reference period, because some hours are preliminary.`,
    ]
    : [];
}

/** Describes the choices and missing inputs behind a calibration. */
export function buildCalibrationNotes(grounds: CalibrationInputs): string[] {
  const { turbine, combined, production, exclusions, months, reference } = grounds;
  const { hub, calibration } = combined.main;
  return [
    ...(isCalibrated(calibration) ? [] : [UNCALIBRATED_MARK]),
    ...describeReanalyses(combined),
    ...hub.notes,
    ...describeScaling(calibration),
    ...describeTrend(calibration),
    ...describeStops(production),
    ...describePartialPeriods(production),
    ...(turbine.units > 1
      ? [
        `A park of ${turbine.units} units: production is divided by this number, so all figures are for ` +
        "one unit. Wakes are part of k.",
      ]
      : []),
    ...grounds.productionNotes,
    ...exclusions.map(({ from, to, reason }) =>
      `Production of ${from} to ${to} excluded: ${reason}.`
    ),
    ...describeLeftOut(calibration.periods),
    ...describeReference(months, reference),
    ...describeDoubts(calibration, reference),
  ];
}
