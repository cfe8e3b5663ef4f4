import { labelOf } from "./check_periods.ts";
import type { ProducedPeriods } from "./produced_series.ts";
import type { ModelMonths } from "./model_months.ts";
import { refuse } from "./refuse.ts";

/**
 * Selects the periods of production from the first to the last that can be compared.
 *
 * @throws {ArgumentError} If no period has both
 */
export function selectCommonPeriods(
  production: ProducedPeriods,
  expected: ModelMonths,
): ProducedPeriods {
  const { kind, numbers, energy } = production;
  const known = (number: number, i: number) =>
    Number.isFinite(energy[i]) && Number.isFinite(expected.get(number)?.energy ?? NaN);
  const [first, last] = [numbers.findIndex(known), numbers.findLastIndex(known)];
  if (first === -1) {
    const span = (all: readonly number[]) =>
      all.length === 0
        ? `no whole ${kind}`
        : `${labelOf(Math.min(...all), kind)} to ${labelOf(Math.max(...all), kind)}`;
    const predicted = [...expected].filter(([, { energy }]) => Number.isFinite(energy))
      .map(([number]) => number);
    const produced = numbers.filter((_, i) => Number.isFinite(energy[i]));
    refuse(
      `no ${kind} has a value in both. The production has ${span(produced)}, the prediction ` +
        `${span(predicted)}; ${kind}s count with 98 % of their hours. ` +
        "Ask for a prediction of the time of the production",
    );
  }
  const cut = (values: Float64Array | undefined) => values?.slice(first, last + 1);
  return {
    kind,
    numbers: numbers.slice(first, last + 1),
    energy: energy.slice(first, last + 1),
    availability: cut(production.availability),
    validHours: cut(production.validHours),
    completeness: cut(production.completeness),
    notes: production.notes,
  };
}
