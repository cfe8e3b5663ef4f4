import {
  fitReanalyses,
  type FittedReanalysis,
  type HubReanalysis,
} from "../../src/sites/fit_reanalyses.ts";
import {
  combineReanalyses,
  computeCombinedIntervals,
  computeCombinedMonths,
} from "../../src/sites/combine_reanalyses.ts";
import type { SiteData } from "../../src/sites/site_data.ts";
import { alignToAxis } from "../../src/time/hourly.ts";
import { formatMonthLabel } from "../../src/time/zones.ts";
import { calibrate } from "../../src/windindex/calibration/calibration.ts";
import { buildTrainingSet, type TrainingInput } from "../../src/windindex/calibration/training.ts";
import { computeTrainingEnergies } from "../../src/windindex/calibration/training_energies.ts";
import { chooseReferencePeriod } from "../../src/windindex/index/reference_period.ts";
import { computeModelledHours } from "../../src/windindex/reanalyses/modelled_hours.ts";
import type { Turbine } from "../../src/windindex/turbine/turbine.ts";
import { listComparedMonths, type MonthSpan, type PredictedMonth, sumCompared } from "./_months.ts";
import { computeHubs } from "./_site_data.ts";

/** How a turbine's months are predicted. */
export interface Model {
  /** Whether calibration may choose among all scalings, or has one factor. */
  readonly selected: boolean;
  /** Whether outages found in production are masked. */
  readonly masked: boolean;
}

/** A month predicted by a calibration that has not seen it. */
export interface UnseenMonth extends PredictedMonth {
  /** Whether production is within the 90 % interval of the prediction. */
  readonly hit: boolean;
  /** What was chosen without the month: the scaling, or which of several reanalyses. */
  readonly chosen: string;
  /** Months that this calibration called outages. */
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

/**
 * Predicts each month of a turbine's hourly production by a calibration on all others: reanalyses, scaling, smoothing and
 * factors are chosen anew without it. Masks come from production alone.
 *
 * @param data The site
 * @param position Which of its turbines
 * @param model How it is predicted
 * @param sources Datasets of the reanalyses that are combined; each reanalysis is calibrated once for all of these
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
  const { production, mask, months } = listComparedMonths(data, position, masked);

  function predict(span: MonthSpan, fitted: readonly FittedReanalysis[]): UnseenMonth {
    const combined = combineReanalyses(fitted, turbine, null);
    const energies = computeCombinedMonths(combined, turbine);
    const intervals = computeCombinedIntervals(combined, turbine, {
      months: energies,
      reference: chooseReferencePeriod(energies),
    });
    const at = energies.findIndex((month) => formatMonthLabel(month) === span.label);
    const { low, high } = intervals[at]!;
    const energy = energies[at].energy!;
    const { axis, power } = combined.hours;
    const predicted = sumCompared(
      alignToAxis(production.axis, axis, power),
      production,
      mask,
      span,
    );
    const produced = sumCompared(production.power, production, mask, span);
    const { choice, main } = combined;
    return {
      label: span.label,
      produced,
      predicted,
      // The interval is of the whole month: as shares of the prediction it holds for the hours compared too.
      hit: produced / predicted >= low / energy && produced / predicted <= high / energy,
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
