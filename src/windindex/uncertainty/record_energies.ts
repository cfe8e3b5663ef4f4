import { listMonthSpans, type MonthlyEnergy, type MonthSpan } from "../index/monthly_energy.ts";
import {
  computePeriodEnergy,
  computeScalingEnergies,
  type ScalingEnergies,
  type ScalingKind,
} from "../scaling/scaling_energies.ts";
import { assignWindGroups } from "../scaling/wind_groups.ts";
import type { WindScaling } from "../scaling/wind_scaling.ts";
import type { TrainingEnergies } from "../calibration/training_energies.ts";

const nameOf = ({ year, month }: { readonly year: number; readonly month: number }) =>
  `${year}-${month}`;

/** Modelled energies of the months of a climate record for any scaling; each kind is computed when it is first needed. */
export class RecordEnergies {
  readonly #training: TrainingEnergies;
  readonly #spans: readonly MonthSpan[];
  readonly #rows: readonly (number | undefined)[];
  readonly #known = new Map<ScalingKind, ScalingEnergies>();

  /** @param training Climate at the hub, and power of the turbine */
  constructor(training: TrainingEnergies, months: readonly MonthlyEnergy[]) {
    const { hub, turbine } = training;
    this.#training = training;
    this.#spans = listMonthSpans(hub.axis, turbine.timeZone);
    const positions = new Map(this.#spans.map((span, i) => [nameOf(span), i]));
    this.#rows = months.map((month) => positions.get(nameOf(month)));
  }

  /** Computes the energy of each month, kWh; NaN for months that the record does not touch. */
  energiesAt(scaling: WindScaling): Float64Array {
    const energies = this.#known.get(scaling.kind) ?? this.#computeKind(scaling.kind);
    return Float64Array.from(
      this.#rows,
      (row) => row === undefined ? NaN : computePeriodEnergy(energies, row, scaling),
    );
  }

  #computeKind(kind: ScalingKind): ScalingEnergies {
    const { hub, turbine, curve } = this.#training;
    const { windSpeed: speed, logDensityRatio } = hub;
    const monthOf = new Int32Array(hub.axis.length);
    this.#spans.forEach(({ from, to }, i) =>
      monthOf.fill(i, Math.max(0, from), Math.min(monthOf.length, to))
    );
    const weight = speed.map((value, i) => {
      const both = value + logDensityRatio[i];
      return both === both ? 1 : 0;
    });
    const energies = computeScalingEnergies(
      [kind],
      { speed, logDensityRatio, weight },
      monthOf,
      this.#spans.length,
      (by) => assignWindGroups(by, hub, turbine),
      curve,
    ).get(kind)!;
    this.#known.set(kind, energies);
    return energies;
  }
}
