import { type CalibrationVerdict, calibrationVerdicts } from "../../api/columns/turbine_columns.ts";
import { K_RANGE } from "../scaling/energy_ladder.ts";
import type { Calibration, CalibrationPeriod } from "./calibration.ts";
import { isMonth, MIN_PERIODS } from "./training_energies.ts";
import { isCalibrated, listScored, measureUnseenFit } from "./unseen_fit.ts";

/** Lower and upper bound. */
interface Range {
  readonly low: number;
  readonly high: number;
}

/** Figures by which a calibration is judged; all of them are stored with it. */
export interface JudgedCalibration {
  readonly calibration: Pick<Calibration, "k" | "periods">;
  /** Mean annual energy of the reference period, and its 90 % interval, kWh. */
  readonly meanAnnualEnergy: number;
  readonly uncertainty: { readonly longTerm: Range };
  /** Distance of its only climate point from the turbine, km; `null` between points. */
  readonly pointDistance?: number | null;
  /** Correlation of hourly production with the model; `null` without hours. */
  readonly hourCorrelation?: number | null;
}

/** How far a calibration can be trusted. */
export interface Judgement {
  readonly verdict: CalibrationVerdict;
  /** Why, as a clause without full stop. */
  readonly reason: string;
  /** Remedy, as a sentence; empty for good and fair calibrations. */
  readonly remedy: string;
}

/** Limits beyond which a figure makes a calibration fair, poor and useless. */
type Limits = readonly [fair: number, poor: number, useless: number];

/*
 * Limits lie between real turbines (four of Kelmarsh, two of La Haute Borne, Horns Rev, 42 of the Danish register, the sample)
 * and the same ones spoiled: production moved by a day to two years, months and years shuffled, the climate of another site.
 *
 * Hours: correlation of real turbines 0.83 and more, of spoiled ones 0.41 and less; with a clock that is wrong by half a day
 * 0.55. Months: errors of real ones 3 to 8 % (13 % between ERA5 and MERRA-2), of which 0.92 and more of the differences between
 * months is explained; shuffled 27 to 57 %, 0.21 and less. Years: 2 to 5 % and 0.66 and more, for three of 42 less; of another
 * site 9 to 14 %, below 0. The long-term mean: half widths of real ones 2 to 12 %, of spoiled ones up to 96 %.
 */
const HOURS: Limits = [0.8, 0.7, 0.45];
const MONTHS = { name: "month", error: [0.1, 0.2, 0.5], explained: [0.9, 0.75, 0.4] } as const;
const YEARS = { name: "year", error: [0.05, 0.1, 0.25], explained: [0.66, 0.5, 0] } as const;
const HALF_WIDTH: Limits = [0.15, 0.25, 0.5];

/** Share of periods left out as outages: up to half at real turbines. */
const OUTAGES: Limits = [1 / 3, 1 / 2, Infinity];

/**
 * Ranges of k: outside of the first a calibration is fair, outside of the second poor. Real ones are 0.77 to 0.93, in
 * the Danish register with points at sea 0.64 to 0.80; a power curve with speeds wrong by half leads to 0.53 and 1.37.
 */
const FAIR_K: Range = { low: 0.75, high: 1.2 };
const POOR_K: Range = { low: 0.6, high: 1.3 };

/**
 * km: a cell of ERA5 has a point within 20 km. In the Danish register the error of years is 3.3 % within it, 4.3 %
 * beyond.
 */
const FAR = 20;

/** A point against a calibration, or its absence. */
interface Grade {
  /** Position in `calibrationVerdicts`. */
  readonly level: number;
  readonly reason: string;
  readonly remedy: string;
}

const exceeds = (value: number, limits: Limits) => limits.filter((limit) => value > limit).length;
const fallsBelow = (value: number, limits: Limits) =>
  limits.filter((limit) => value < limit).length;
const isOutside = (k: number, { low, high }: Range) => k < low || k > high;

const formatShare = (share: number) => `${(100 * share).toFixed(share < 0.1 ? 1 : 0)} %`;
const countPeriods = (count: number, name: string) => `${count} ${name}${count === 1 ? "" : "s"}`;

const SAME_WIND =
  "Check that climate and production have the same coordinates, years and time zone. Check that the production column " +
  "belongs to this turbine.";

/** Judges the correlation of hours, which is low for wind of another place or time. */
function gradeHours({ hourCorrelation: r }: JudgedCalibration): Grade[] {
  if (typeof r !== "number") return [];
  return [{
    level: fallsBelow(r, HOURS),
    reason: `its hours have a correlation of ${r.toFixed(2)} with the model; 0.8 to 0.95 is usual`,
    remedy: SAME_WIND,
  }];
}

/**
 * Measures the share of the differences between periods that predictions without them explain; negative if their mean
 * predicts better.
 */
function measureExplained(periods: readonly CalibrationPeriod[], error: number): number {
  const powers = periods.map(({ produced, validHours }) => produced / validHours);
  const mean = powers.reduce((sum, power) => sum + power, 0) / powers.length;
  const square = powers.reduce((sum, power) => sum + (power / mean - 1) ** 2, 0) / powers.length;
  return 1 - error ** 2 / square;
}

/** Judges months or years by predictions of calibrations without them, and by the number left out. */
function gradePeriods({ calibration: { periods } }: JudgedCalibration): Grade[] {
  const fit = measureUnseenFit(periods);
  const lost = fit ? fit.outages / fit.periods : 0;
  // If most are left out, outages are not the reason.
  const isMost = lost > OUTAGES[1];
  const counted = listScored(periods).filter(({ used }) => used || isMost);
  const months = counted.filter(isMonth).length;
  const kind = 2 * months >= counted.length ? MONTHS : YEARS;
  const error = (isMost ? fit?.error : fit?.countedError) ?? null;
  const few: Grade[] = counted.length >= MIN_PERIODS ? [] : [{
    level: 1,
    reason: counted.length === 0
      ? "there is too little production to predict one part from the rest"
      : `only ${
        countPeriods(counted.length, kind.name)
      } could be predicted to test the calibration`,
    remedy: "",
  }];
  if (!fit || error === null) return few;
  const explained = measureExplained(counted, error);
  const isTold = counted.length >= MIN_PERIODS && error > kind.error[0];
  const level = Math.max(
    exceeds(error, kind.error),
    isTold ? fallsBelow(explained, kind.explained) : 0,
  );
  const explanation = isTold && fallsBelow(explained, kind.explained) > 1
    ? explained > 0
      ? `, so the wind explains ${formatShare(explained)} of the differences between ${kind.name}s`
      : `, no better than with the mean of all ${kind.name}s`
    : "";
  return [
    {
      level,
      reason: `a ${kind.name} predicted without its own production has an error of ${
        formatShare(error)
      }${explanation}`,
      remedy: `${SAME_WIND} Declare outages with "exclude".`,
    },
    {
      level: exceeds(lost, OUTAGES),
      reason: `the calibration left out ${fit.outages} of its ${
        countPeriods(fit.periods, kind.name)
      } as outages`,
      remedy: `Check the figures of these ${kind.name}s. ${SAME_WIND}`,
    },
    ...few,
  ];
}

/** Judges the interval of the long-term mean. */
function gradeInterval({ meanAnnualEnergy, uncertainty: { longTerm } }: JudgedCalibration): Grade {
  const half = (longTerm.high - longTerm.low) / (2 * meanAnnualEnergy);
  return {
    level: exceeds(half, HALF_WIDTH),
    reason: `its long-term energy is known only to within ${formatShare(half)}`,
    remedy: `Give production of more months. ${SAME_WIND}`,
  };
}

/** Judges the factor on the wind speed, and the distance of the wind's climate point. */
function gradeFactor({ calibration: { k }, pointDistance }: JudgedCalibration): Grade[] {
  const [low, high] = K_RANGE;
  const factor = `wind speed needs a factor of ${k.toFixed(2)}`;
  const isFar = typeof pointDistance === "number" && pointDistance > FAR;
  return [
    ...isFar
      ? [{
        level: isOutside(k, FAIR_K) ? 2 : 1,
        reason: `the climate point is ${pointDistance.toFixed(0)} km away` +
          (isOutside(k, FAIR_K) ? `, and its ${factor}` : ""),
        remedy: "Give the four climate points around the turbine, or a nearer point.",
      }]
      : [],
    {
      level: isOutside(k, POOR_K) ? 2 : isOutside(k, FAIR_K) ? 1 : 0,
      reason: k < 1.01 * low || k > 0.99 * high
        ? `the climate's ${factor}, the end of the searched range`
        : `the climate's ${factor}`,
      remedy:
        "Check hub height, power curve, the unit of production, and the number of turbines it includes.",
    },
  ];
}

/**
 * Judges how far a calibration can be trusted: by the correlation of hours, the error of unseen months or years and the
 * differences that they explain, the interval of the long-term mean, the factor on the wind speed, and the distance of
 * the climate point. The worst of them decides. A poor one keeps its figures; a useless one allows no conclusions.
 *
 * @returns `null` for a location index, which is not calibrated
 */
export function judgeCalibration(judged: JudgedCalibration): Judgement | null {
  if (!isCalibrated(judged.calibration)) return null;
  const grades = [
    ...gradePeriods(judged),
    ...gradeHours(judged),
    gradeInterval(judged),
    ...gradeFactor(judged),
  ];
  const level = Math.max(...grades.map((grade) => grade.level));
  const worst = grades.filter((grade) => grade.level === level);
  return {
    verdict: calibrationVerdicts[level],
    reason: (level === 0 ? worst.slice(0, 1) : worst).map(({ reason }) => reason).join("; "),
    remedy: level < 2 ? "" : worst[0].remedy,
  };
}
