import {
  fitReanalyses,
  type FittedReanalysis,
  type HubReanalysis,
} from "../../src/sites/calibration/fit_reanalyses.ts";
import {
  type CombinedReanalyses,
  combineReanalyses,
  computeCombinedIntervals,
  computeCombinedMonths,
} from "../../src/sites/calibration/combine_reanalyses.ts";
import type { SiteData } from "../../src/sites/site_data.ts";
import { alignToAxis } from "../../src/time/hourly.ts";
import { formatMonthLabel } from "../../src/time/zones.ts";
import { calibrate } from "../../src/windindex/calibration/calibration.ts";
import { buildTrainingSet, type TrainingInput } from "../../src/windindex/calibration/training.ts";
import { computeTrainingEnergies } from "../../src/windindex/calibration/training_energies.ts";
import {
  chooseReferencePeriod,
  computeNormals,
} from "../../src/windindex/index/reference_period.ts";
import { computeModelledHours } from "../../src/windindex/reanalyses/modelled_hours.ts";
import type { Turbine } from "../../src/windindex/turbine/turbine.ts";
import type { Interval } from "../../src/windindex/uncertainty/error_terms.ts";
import {
  type ComparedMonths,
  listComparedMonths,
  type MonthSpan,
  type PredictedMonth,
  sumCompared,
} from "./_months.ts";
import { computeHubs } from "./_site_data.ts";

/** How a turbine's months are predicted. */
export interface Model {
  /** Whether the calibration chooses among all scalings, instead of one factor. */
  readonly selected: boolean;
  /** Whether outages that production shows are masked. */
  readonly masked: boolean;
}

/** A month predicted by a calibration that has not seen it. */
export interface UnseenMonth extends PredictedMonth {
  /** Whether production is within the 90 % interval of the prediction. */
  readonly hit: boolean;
  /** The choice made without the month: scaling, or one of several reanalyses. */
  readonly chosen: string;
  /** Months that this calibration takes for outages. */
  readonly outages: readonly string[];
}

/** Fits one factor to each reanalysis. */
function fitFactors(
  climates: readonly HubReanalysis[],
  inputs: readonly TrainingInput[],
  turbine: Turbine,
): FittedReanalysis[] {
  return climates.map(({ serviceId, hub }) => {
    const set = buildTrainingSet(hub, inputs, turbine.timeZone);
    const training = computeTrainingEnergies(set, hub, turbine, ["factor"]);
    const calibration = calibrate(training);
    const hours = computeModelledHours(turbine, calibration, hub);
    return { serviceId, hub, training, calibration, hours };
  });
}

/** A predicted month with its interval. */
export interface IntervalMonth extends PredictedMonth {
  /** 90 % interval of the energy over the compared hours, kWh. */
  readonly interval: Interval;
  /** A normal month: a twelfth of the mean year of the reference period, kWh. */
  readonly normal: number;
}

/** Predicts months by calibrated reanalyses. */
export function predictSpans(
  combined: CombinedReanalyses,
  turbine: Turbine,
  { production, mask }: ComparedMonths,
  spans: readonly MonthSpan[],
): IntervalMonth[] {
  const energies = computeCombinedMonths(combined, turbine);
  const reference = chooseReferencePeriod(energies);
  const intervals = computeCombinedIntervals(combined, turbine, { months: energies, reference });
  const normal = computeNormals(energies, reference).year / 12;
  const { axis, power } = combined.hours;
  const hours = alignToAxis(production.axis, axis, power);
  return spans.map((span) => {
    const at = energies.findIndex((month) => formatMonthLabel(month) === span.label);
    const predicted = sumCompared(hours, production, mask, span);
    // Scales the interval of the whole month to the compared hours.
    const share = predicted / energies[at].energy!;
    const { low, high } = intervals[at]!;
    return {
      label: span.label,
      produced: sumCompared(production.power, production, mask, span),
      predicted,
      interval: { low: share * low, high: share * high },
      normal,
    };
  });
}

/**
 * Predicts each month of a turbine's hourly production by a calibration on all other months, which chooses
 * reanalyses, scaling, smoothing and factors. Masks come from production alone.
 *
 * @param data The site
 * @param position Which of its turbines
 * @param model How it is predicted
 * @param sources Datasets of the reanalyses to combine; each reanalysis is calibrated once for all sources
 * @returns The months by each of the sources
 */
export function leaveOneMonthOut(
  data: SiteData,
  position: number,
  { selected, masked }: Model,
  sources: readonly (readonly string[])[],
): UnseenMonth[][] {
  const { turbine } = data.turbines[position];
  const climates = computeHubs(data, turbine);
  const compared = listComparedMonths(data, position, masked);
  const { production, mask, months } = compared;

  function predict(span: MonthSpan, fitted: readonly FittedReanalysis[]): UnseenMonth {
    const combined = combineReanalyses(fitted, turbine, null);
    const [{ interval: { low, high }, ...month }] = predictSpans(combined, turbine, compared, [
      span,
    ]);
    const { choice, main } = combined;
    return {
      ...month,
      hit: month.produced >= low && month.produced <= high,
      chosen: fitted.length === 1
        ? main.calibration.scaling.kind
        : choice.kind === "single"
        ? main.serviceId
        : choice.kind,
      outages: fitted.flatMap(({ calibration }) =>
        calibration.periods.filter(({ reason }) => reason.startsWith("outage"))
          .map(({ label }) => label)
      ),
    };
  }

  const predicted = months.map((span) => {
    const inputs = [{ production, masked: mask.slice().fill(1, span.from, span.to) }];
    const fitted = selected
      ? fitReanalyses(climates, inputs, turbine, null).fitted
      : fitFactors(climates, inputs, turbine);
    return sources.map((source) =>
      predict(span, fitted.filter(({ serviceId }) => source.includes(serviceId)))
    );
  });
  return sources.map((_, i) => predicted.map((bySource) => bySource[i]));
}
