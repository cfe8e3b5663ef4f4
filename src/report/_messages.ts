import { calendarMonth, formatMonth } from "../show/month.ts";
import { formatNumber } from "../show/number.ts";

const percent = (value: number) => `${formatNumber(value, 1)} %`;

/** Sentences of the pages, in one place. */
export const messages = {
  /** Line below the title. */
  about: (month: string, turbines: number, made: string) =>
    `${formatMonth(month)} · ${turbines} ${turbines === 1 ? "turbine" : "turbines"} · made ${made}`,
  /** What stands on every page of the sample. */
  synthetic: "invented figures from the built-in sample, not real data",
  /** Heading of the table of all turbines. */
  fleet: (month: string) => `All turbines in ${formatMonth(month)}`,
  /** A month without figures. */
  noFigures: (name: string, month: string) =>
    `There are no figures of ${name} for ${formatMonth(month)}.`,
  /** What the wind gave in a month. */
  month: (name: string, month: string, energy: number | null, abnormality: number | null) => {
    const gave = energy === null ? "" : ` would have given ${formatNumber(energy, 1)} MWh`;
    const normal = `a normal ${calendarMonth(month)}`;
    if (abnormality === null) return `In ${formatMonth(month)} the wind at ${name}${gave}.`;
    return gave === ""
      ? `In ${formatMonth(month)} the wind at ${name} gave ${percent(abnormality)} of ${normal}.`
      : `In ${formatMonth(month)} the wind at ${name}${gave} by the calibrated model: ` +
        `${percent(abnormality)} of ${normal}.`;
  },
  /** What the wind gave in twelve months. */
  twelveMonths: (index: number) =>
    `The twelve months that ended then gave ${percent(index)} of a normal year.`,
  /** What the turbine made of it in the month. */
  produced: (energy: number, ratio: number, completeness: number | null) =>
    `The turbine produced ${formatNumber(energy, 1)} MWh` +
    (completeness === null
      ? ""
      : ` in the hours compared (${percent(100 * completeness)} of the month)`) +
    `: ${percent(ratio)} of what the model predicts.`,
  /** The figures of the month may change. */
  preliminary:
    "The figures of this month are preliminary: the reanalysis behind them may still be replaced.",
  /** The service is not done with the turbine. */
  notReady: "The service says that the data of this turbine are not ready.",
  /** There is nothing to compare with. */
  noComparison: "No production was given to compare the prediction with.",
  /** There is no curve to draw. */
  noCurve: "The details of this turbine hold no power curve.",
  /** What 100 % means, for all indices. */
  normal:
    "An index compares the energy that the calibrated model computes from the wind with that of the reference period: " +
    "100 % is normal. The turbine's own availability does not enter.",
  /** What produced and predicted mean. */
  comparison:
    "Produced energy is what was measured, predicted energy what the model computes for the same hours or months. " +
    "Outages, curtailment and the errors of the model make them differ.",
  /** A month without data. */
  missing: "A dash stands where there is no value: it is not zero.",
  /** Provenance of a frame that carries none. */
  unknownSource: "source not stated",
} as const;
