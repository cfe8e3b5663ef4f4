import { pickColumns } from "../../api/columns/column.ts";
import { figures as figureColumns, modelDataCsv } from "../../api/columns/columns.ts";
import type { CardRow } from "../../show/card.ts";
import { calendarMonth, formatMonth } from "../../show/text/month.ts";
import { formatNumber, formatShare } from "../../show/text/numbers.ts";
import { MIN_COMPLETENESS, type MonthlyEnergy } from "../../windindex/index/monthly_energy.ts";
import type { IndexReference, ServedNormals } from "../series/index_reference.ts";
import type { ModelHours } from "../series/model_hours.ts";
import { computeMonthMean, type ServedMonth, type Step } from "./steps.ts";

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

/** Writes the results in sentences. */
export function writeSummary(steps: readonly Step[], label: string): string[] {
  const of = (quantity: string) => steps.find((step) => step.quantity === quantity);
  const [index, normal] = [of(monthIndex.label), of(abnormality.label)];
  const compared = steps.filter(({ value, served }) => value !== null && served !== null);
  const worst = compared
    .map(({ quantity, value, served, unit }) => ({
      quantity,
      unit,
      gap: Math.abs(value! - served!),
      share: Math.abs(value! - served!) / Math.max(Math.abs(served!), 1e-9),
    }))
    .sort((a, b) => b.share - a.share)[0];
  const percent = (step: Step | undefined) =>
    step?.value === null || step === undefined ? null : `${formatNumber(step.value, 1)} %`;
  const sentences: string[] = [];
  if (percent(index) && percent(normal)) {
    sentences.push(
      `${formatMonth(label)} gave ${percent(index)} of one twelfth of a normal year, and ` +
        `${percent(normal)} of a normal ${calendarMonth(label)}.`,
    );
  }
  if (worst) {
    sentences.push(
      `${compared.length} of ${steps.length} steps have a value of the service; the largest gap ` +
        `is ${formatNumber(100 * worst.share, 3)} %, of "${worst.quantity}".`,
    );
  }
  return sentences;
}

/** Formats the difference of a value from the served one. */
function formatGap(own: number, served: number): string {
  const gap = 100 * (own / served - 1);
  return `${formatNumber(Math.abs(gap), 2)} % ${gap < 0 ? "below" : "above"} the served one`;
}

/** Lists what could not be recomputed, and why. */
export function listNotes(
  entry: MonthlyEnergy,
  reference: IndexReference | undefined,
  hasCurve: boolean,
  served: ServedNormals,
  { figures, status }: ServedMonth,
): string[] {
  const notes: string[] = [];
  const servedEnergy = figures(predicted);
  if (
    servedEnergy && entry.energy !== null &&
    Math.abs(entry.energy / 1000 / servedEnergy - 1) > SAME_ENERGY
  ) {
    notes.push(
      `The energy of the month is ${
        formatGap(entry.energy / 1000, servedEnergy)
      }: model data and indices are of ` +
        "different revisions, or the service treats hours, stamps or months differently.",
    );
  }
  if (status === PRELIMINARY) {
    notes.push(
      "The service calls the month preliminary: its figures and its model data may still change, and " +
        "differ where they were fetched at different times.",
    );
  }
  if (entry.energy === null) {
    notes.push(
      `The month has ${formatShare(entry.completeness)} % of its hours; below ` +
        `${100 * MIN_COMPLETENESS} % it has no figures.`,
    );
  }
  if (!hasCurve) {
    notes.push(
      "Power was not recomputed: that needs the power curve and rated power in the details, and " +
        "wind_speed and air_density in the model data.",
    );
  }
  if (!reference) {
    notes.push(
      "The normal year was not recomputed: the model data have no whole year. Ask modelData() for " +
        'all years; values under "served" follow from the served indices.',
    );
    return notes;
  }
  return [...notes, ...describeReference(reference, served)];
}

/** Describes how the reference period was found. */
function describeReference(
  { period: { years }, known, normals }: IndexReference,
  { year, month }: ServedNormals,
): string[] {
  if (known === "declared") return [];
  const span = `${years[0]} to ${years.at(-1)}`;
  const silent = "The API does not report the reference period.";
  const meant = month
    ? "the normal year and month of the served indices"
    : "the normal year of the served index";
  if (known === "found") return [`${silent} Of all spans of whole years ${span} gives ${meant}.`];
  const whole = `${span}, ${years.length} whole years of the model data,`;
  if (known === "chosen") return [`${silent} ${whole} give ${meant}.`];
  if (year === undefined) {
    return [`${silent} ${whole} are used; no index was served to test them.`];
  }
  return [
    `${silent} No span of whole years gives ${meant}. Of ${whole} the normal year is ` +
    formatGap(normals.year, year.energy) +
    (month ? `, the normal month ${formatGap(normals.months[month.name - 1], month.energy)}` : "") +
    ". Ask modelData() for all years, or give the years as { referenceYears }.",
  ];
}
