import { pickColumns } from "../../api/columns/column.ts";
import { figures as figureColumns, modelDataCsv } from "../../api/columns/columns.ts";
import type { CardRow } from "../../show/card.ts";
import { formatNumber } from "../../show/text/numbers.ts";
import { MIN_COMPLETENESS, type MonthlyEnergy } from "../../windindex/index/monthly_energy.ts";
import type { IndexReference, ServedNormals } from "../series/index_reference.ts";
import type { ModelHours } from "../series/model_hours.ts";
import { computeMonthMean, type ServedMonth, type Step } from "./steps.ts";
import type { ExplanationFound } from "./words.ts";

/** Largest relative difference of the energy of the month from the served one without a note, by rounding of power. */
const SAME_ENERGY = 1e-3;

const [monthIndex, abnormality, predicted] = pickColumns(figureColumns, [
  "month_index",
  "month_abnormality_index",
  "predicted_production",
]);
const PRELIMINARY = "preliminary";

const conditions = pickColumns(modelDataCsv, ["wind_speed", "air_density"]);

/** Lists mean wind speed and air density of the month. */
export function listFacts(hours: ModelHours, month: Temporal.PlainYearMonth): CardRow[] {
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
export function listResults(steps: readonly Step[], month: string): ExplanationFound[] {
  const valueOf = (quantity: string) =>
    steps.find((step) => step.quantity === quantity)?.value ?? null;
  const [index, normal] = [valueOf(monthIndex.label), valueOf(abnormality.label)];
  const gaps = steps.flatMap(({ quantity, value, served }) =>
    value === null || served === null ? [] : [{
      quantity,
      share: Math.abs(value - served) / Math.max(Math.abs(served), 1e-9),
    }]
  ).sort((a, b) => b.share - a.share);
  const found: ExplanationFound[] = [];
  if (index !== null && normal !== null) {
    found.push({ code: "month", month, index, abnormality: normal });
  }
  if (gaps.length > 0) {
    const [{ quantity, share }] = gaps;
    found.push({
      code: "steps_compared",
      compared: gaps.length,
      steps: steps.length,
      gap: 100 * share,
      largest: quantity,
    });
  }
  return found;
}

/** Difference of a value from the served one, %. */
const gapOf = (own: number, served: number) => 100 * (own / served - 1);

/** Lists what could not be recomputed, and why. */
export function listNotes(
  entry: MonthlyEnergy,
  reference: IndexReference | undefined,
  hasCurve: boolean,
  served: ServedNormals,
  { figures, status }: ServedMonth,
): ExplanationFound[] {
  const notes: ExplanationFound[] = [];
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

/** How the reference period was found. */
function findReference(
  { period: { years }, known, normals }: IndexReference,
  { year, month }: ServedNormals,
): ExplanationFound[] {
  if (known === "declared") return [];
  const served = { from: years[0], to: years.at(-1)!, with_month: month !== undefined };
  if (known === "found") return [{ code: "reference_found", ...served }];
  const whole = { ...served, years: years.length };
  if (known === "chosen") return [{ code: "reference_chosen", ...whole }];
  if (year === undefined) return [{ code: "reference_assumed", ...whole }];
  return [{
    code: "reference_unknown",
    ...whole,
    year_gap: gapOf(normals.year, year.energy),
    month_gap: month ? gapOf(normals.months[month.name - 1], month.energy) : null,
  }];
}
