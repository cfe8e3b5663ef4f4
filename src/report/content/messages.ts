import { SYNTHETIC } from "../../api/world.ts";
import {
  calendarMonth,
  chooseDecimals,
  formatCount,
  formatMonth,
  formatNumber,
  formatPercent,
  formatShare,
  formatSigned,
  joinNames,
  lowerFirst,
} from "../../show/text/numbers.ts";
import {
  charts,
  describeDegree,
  explainMissing,
  formatEnergy,
  formatFigure,
  formatInterval,
  formatOutOf,
  formatQuarter,
  formatReference,
  formatTurbines,
  headings,
  type Interval,
  labels,
  steps,
  tables,
  worlds,
  type Years,
} from "./phrases.ts";

/** A modelled energy with its interval. */
type Energy = Interval & { readonly predicted_production: number | null };

/** The modelled energy of a fleet, and the number of turbines that have one. */
type FleetEnergy = Energy & { readonly units: number };

/** Most turbines that a sentence names. */
const MAX_NAMES = 10;

/** Every text of the reports, in one place: a translation is another object of this type. */
export const messages = {
  /** Language of the texts, as an HTML `lang` code. */
  language: "en",
  charts,
  headings,
  labels,
  steps,
  tables,
  /** A month in a strip: "Mar 24". */
  shortMonth: (month: string) => `${calendarMonth(month).slice(0, 3)} ${month.slice(2, 4)}`,
  /** A figure with the decimals of its unit, by default one. */
  figure: (value: number, unit?: string) =>
    formatNumber(value, chooseDecimals(unit, Math.abs(value)) ?? 1),
  /** A change of an energy, with its sign. */
  change: (value: number) => Math.abs(value) < 0.05 ? formatFigure(0) : formatSigned(value, 1),
  /** A value with its unit. */
  measure: (value: number, unit: string) =>
    `${formatNumber(value, Number.isInteger(value) ? 0 : 1)} ${unit}`,
  /** A range of energies, without unit. */
  range: (low: number, high: number) => `${formatFigure(low)} to ${formatFigure(high)}`,
  /** A share of hours. */
  share: (value: number) => `${formatShare(value)} %`,
  /** Title of the report of a fleet. */
  title: (month: string) => `Wind report, ${formatMonth(month)}`,
  /** Line below the title of the fleet page. */
  about: (
    fleet: string | undefined,
    entries: number,
    units: number,
    made: string,
    years: Years | undefined,
  ) =>
    `${fleet ? `${fleet} · ` : ""}${formatTurbines(units)}` +
    `${units === entries ? "" : ` in ${formatCount(entries, "entry", "entries")}`} · ` +
    `${years ? `${formatReference(years)} · ` : ""}made ${made}`,
  /** Line below the title of a turbine's page. */
  aboutTurbine: (month: string, id: string, made: string, years: Years | undefined) =>
    `Wind report, ${formatMonth(month)} · ${id} · ${
      years ? `${formatReference(years)} · ` : ""
    }made ${made}`,

  /** The reference period. */
  reference: {
    /** Meaning of 100 %, in a line of its own. */
    line: formatReference,
    several:
      "The reference period (100 %) differs between turbines. The page of each turbine names it.",
    short: (years: number) =>
      `100 % is the mean of only ${formatCount(years, "year")}. A reliable normal needs ten.`,
    unknown: (reason: string) =>
      `The reference period (100 %) and the quality of the calibration are unknown: ${
        reason.replace(/\.$/, "")
      }.`,
  },
  /** Data that the model was calibrated on. */
  calibration: {
    basis: (periods: number, hours: number, from: string | null, to: string | null) =>
      `The model was calibrated on ${formatCount(periods, "period")} of production with ${
        formatNumber(hours)
      } valid hours, ${from} to ${to}. `,
    verdict: (verdict: string, why: string) => `Its calibration is ${verdict}: ${why}.`,
    error: (error: number | null, outages: readonly [number, number] | null) =>
      (error === null
        ? "There are too few periods to judge how well the model predicts an unseen period."
        : `An unseen period typically differs from its prediction by ${formatPercent(error)}.`) +
      (outages === null
        ? ""
        : ` ${
          formatCount(outages[0], "more period was", "more periods were")
        } left out because of outages. With them, the difference is ${formatPercent(outages[1])}.`),
  },
  /** Link back. */
  toFleet: (month: string) => `All turbines in ${formatMonth(month)}`,
  /** Link that skips the header. */
  skip: "Skip to the figures",
  /** Hint above boxes wider than a narrow screen. */
  scroll: "Scroll sideways to see the whole table →",
  /** Notice in every file of the sample. */
  synthetic: `${SYNTHETIC}: invented figures from the built-in sample, not real data`,
  /** Text of a missing value for screen readers. */
  noValue: "no value",
  notKnown: "not known",
  from: (start: string, end: string) => `${start} to ${end}`,

  /** Lasting changes of the production, relative to what the wind predicts. */
  changes: {
    step: (from: string, size: number, low: number, high: number, lost: number) =>
      `From ${formatMonth(from)} on, the turbine produces ${formatPercent(Math.abs(size))} ${
        size < 0 ? "less" : "more"
      } from the same wind than before (90 % interval ${formatFigure(low)} to ${
        formatPercent(high)
      }): ${formatEnergy(Math.abs(lost))} ${lost < 0 ? "gained" : "lost"} since.`,
    notSearched: (reason: string) => `Lasting changes were not checked: ${reason}`,
    none: (smallest: number) =>
      `The production from the same wind shows no lasting change. A change of ${
        formatPercent(smallest)
      } or more would be visible.`,
  },
  turbine: {
    month_index: (month: string, value: number, normal: number | null) =>
      `${formatMonth(month)} had ${formatPercent(value)} of the energy of an average month` +
      (normal === null ? "." : `; a normal ${calendarMonth(month)} has ${formatPercent(normal)}.`),
    month_abnormality_index: (month: string, value: number) =>
      `${formatMonth(month)} had ${formatPercent(value)} of the energy of a normal ` +
      `${calendarMonth(month)}: ${describeDegree(value)}.`,
    last12_month_index: (month: string, value: number) =>
      `The twelve months that end with ${formatMonth(month)} had ${formatPercent(value)} of the ` +
      `energy of a normal year: ${describeDegree(value)}.`,
    last_full_quarter_index: (first: string, last: string, value: number) =>
      `The last full quarter, ${formatQuarter(first, last)}, had ${
        formatPercent(value)
      } of the energy of ` +
      `these months in a normal year: ${describeDegree(value)}.`,
    last_full_year_index: (year: number, value: number) =>
      `The last full year, ${year}, had ${formatPercent(value)} of the energy of a normal year: ` +
      `${describeDegree(value)}.`,
    uncalibrated: (name: string) => `${name} (uncalibrated)`,
    useless: (name: string) => `${name} (useless calibration)`,
    predicted_production: (value: number, last: { readonly month: string } & Interval) =>
      `With the wind of ${formatMonth(last.month)}, the model predicts ${formatEnergy(value)}${
        formatInterval(last)
      }.`,
    /** Both energies cover only that share of the month's hours, if there is one. */
    produced: (made: number, predicted: number, share: number | null) =>
      `The turbine produced ${formatPercent(100 * made / predicted)} of the ${
        formatEnergy(predicted)
      } that the model predicts${
        share === null ? "" : `, in the ${formatShare(share)} % of the hours with both energies`
      }.`,
    /** The energy of an entry with several turbines. */
    units: (number: number) =>
      `The energies are for one of the ${formatNumber(number)} turbines of this entry.`,
  },
  /** Texts in place of missing figures. */
  missing: {
    month: (month: string, completeness: number | null) =>
      `There is no figure for ${formatMonth(month)}` +
      (completeness === null
        ? "."
        : `: only ${formatShare(completeness)} % of its hours have data.`),
    twelve: (month: string) =>
      `There is no figure for the twelve months that end with ${
        formatMonth(month)
      }: not all these months have a figure.`,
    quarter: (first: string, last: string, without: string | null) =>
      `There is no figure for ${formatQuarter(first, last)}: ${explainMissing(without)}.`,
    year: (year: number, without: string | null) =>
      `There is no figure for ${year}: ${explainMissing(without)}.`,
    comparison:
      "There is no production to compare the prediction with. To add it, name its files in the site file.",
    production: (month: string, last: string) =>
      `there is no production for ${formatMonth(month)}; the last month with production is ${
        formatMonth(last)
      }`,
    annual: "the production is annual, but a report compares months",
    compared: (month: string) =>
      `For ${formatMonth(month)} there is nothing to compare with the prediction.`,
    notCompared: (reason: string) => `Cannot compare the production: ${reason.replace(/\.$/, "")}.`,
    places: "The positions of the turbines are unknown.",
  },
  /** The figures of the month may change. */
  preliminary: "The figures of this month are preliminary: the reanalysis may still change.",
  /** A month whose figures may change, in a table. */
  preliminaryMark: "preliminary",
  /** The service has not finished the turbine. */
  notReady: "The service reports that the data of this turbine are not ready.",

  /** The sentences about the fleet. */
  fleet: {
    wind: (month: string, all: number, fleet: FleetEnergy) =>
      `With the wind of ${formatMonth(month)}, ${formatOutOf(fleet.units, all)} ` +
      `turbine${all === 1 ? "" : "s"} would have produced ${
        formatEnergy(fleet.predicted_production!)
      }` +
      `${formatInterval(fleet)}.`,
    normal: (month: string, value: number) =>
      `The wind of the fleet was worth ${formatPercent(value)} of a normal ${
        calendarMonth(month)
      }: ${describeDegree(value)}.`,
    year: (month: string, value: number) =>
      `The twelve months that end with ${formatMonth(month)} had ${
        formatPercent(value)
      } of a normal year.`,
    extremes: (month: string, best: string, high: number, worst: string, low: number) =>
      `Compared with a normal ${calendarMonth(month)}, ${best} had the most wind energy, ` +
      `${formatPercent(high)}, and ${worst} the least, ${formatPercent(low)}.`,
    noProduction:
      "There is no production to compare the predictions with. To add it, name its files in the site file.",
    /** Indices that do not cover all turbines with figures. */
    fewer: (parts: readonly { readonly what: string; readonly units: number }[]) =>
      `Some turbines lack figures: ${
        joinNames(parts.map(({ what, units }) =>
          `the ${lowerFirst(what)} covers ${formatTurbines(units)}`
        ))
      }.`,
    preliminary: (number: number) =>
      `The figures of ${formatTurbines(number)} are preliminary and may still change.`,
    uncalibrated: (number: number) =>
      `The figures of ${
        formatTurbines(number)
      } are not calibrated. Such figures describe the place, and the sums include them.`,
    useless: (number: number) =>
      `The calibration of ${
        formatTurbines(number)
      } is useless, so this part of the sums is useless, too.`,
    without: (names: readonly string[]) => `Without figures: ${joinNames(names, MAX_NAMES)}.`,
    none: (month: string) => `No turbine has figures for ${formatMonth(month)}.`,
    sums:
      "Energies are for all turbines of a row. The page of an entry with several turbines shows one of them.",
    interval:
      "The interval of the fleet is the sum of the intervals of its turbines, as if all their errors had the same sign.",
    lost:
      "The turbine with the largest loss by stops, curtailment and the rest comes first. Energies are in MWh.",
    order: (grouped: boolean) =>
      grouped
        ? "Sorted by park and name. Turbines whose names differ only in the number at the end form a park. The index of a park is for the energy of all its turbines with figures."
        : "Sorted by name.",
    strip: (month: string) =>
      `The strip shows the month abnormality index of the twelve months that end with ${
        formatMonth(month)
      }.`,
    stripLegend: (low: string, high: string) => `from below ${low} to above ${high} %`,
    noReason: "there are no figures for this month",
  },
  /** The share of an owner. */
  owner: {
    title: (owner: string) => `Share of ${owner}`,
    table: (owner: string) => `Figures of the share of ${owner}`,
    lost: (owner: string) => `Losses of the share of ${owner}`,
    share: (share: number) => `${Number((100 * share).toFixed(3))} %`,
    /** Energies are MWh. */
    energies: (
      share: { readonly owner: string; readonly month: string } & Energy,
      produced: number | null,
      measured?: number,
    ) =>
      (share.predicted_production === null
        ? `There is no figure for the share of ${share.owner} in ${formatMonth(share.month)}`
        : `With the wind of ${
          formatMonth(share.month)
        }, the share of ${share.owner} would have produced ` +
          `${formatEnergy(share.predicted_production)}${formatInterval(share)}`) +
      (produced === null
        ? "."
        : `; the share produced ${formatEnergy(produced)}${
          measured === undefined ? "" : `, from ${formatTurbines(measured)} with production`
        }.`),
    note:
      "Energies are for the share, and for all turbines of an entry. If a share changes mid-month, the month " +
      "uses the daily mean. An index of several turbines is weighted by the owner's shares.",
  },
  /** A strip of twelve months for screen readers. */
  strip: (
    low: readonly [number, string] | undefined,
    high: readonly [number, string] | undefined,
    missing: number,
  ) =>
    (low && high
      ? `Lowest ${formatPercent(low[0])} in ${formatMonth(low[1])}, highest ${
        formatPercent(high[0])
      } in ${formatMonth(high[1])}`
      : "No data") +
    (missing > 0 && low ? `, ${formatCount(missing, "month")} without data` : ""),
  /** Head of the turbines of a park, or of those without a park. */
  parkName: (name: string | undefined) => name ?? "Others",
  /** Name of a turbine that shares it with another. */
  namesake: (name: string, id: string) => `${name} (${id})`,
  /** A number of turbines, and how many of them have figures. */
  outOf: formatOutOf,
  /** Why a turbine has no figures. */
  because: (name: string, reason: string) => `${name}: ${reason}`,
  /** Label before the reason. */
  cannotTell: "Cannot tell wind from turbine",
  /** Rows of the sums. */
  allTurbines: "All turbines",
  /** Label of a figure that does not cover all turbines, with their number. */
  of: (label: string, turbines: string) => turbines === "" ? label : `${label}, ${turbines}`,
  tile: (known: number, all: number) => known === all ? "" : `${formatOutOf(known, all)} turbines`,
  sumOf: (units: number) => `Sum of ${formatTurbines(units)}`,

  /** Label of the progress line. */
  progress: "Report",
  /** The card of a report in a notebook. */
  card: {
    title: (month: string) => `Monthly report of ${month}`,
    withPage: "With a page",
    next: "saveReport() writes it into a folder.",
    withoutPage: (id: string, reason: string) => `${id} has no page: ${reason}`,
    notReady: "the service reports that the data are not ready",
  },
  /** Meaning of 100 %, for all indices. */
  normal:
    "An index compares the energy that the model computes from the wind with the energy of the reference period: " +
    "100 % is normal. The turbine's availability does not affect it.",
  /** Meaning of produced and predicted. */
  verdict:
    'The verdict names the cause of the deviation from a normal month: wind, stops, curtailment, or unexplained. The verdict is "as usual" ' +
    "if the deviation is within the model error. Wind, stops, curtailment and rest add up from the normal to the produced energy; brackets " +
    "are 90 % intervals. If stops or curtailment show a dash, they are part of the rest.",
  comparison:
    "The meter measures produced energy. The model computes predicted energy for the same hours or months. " +
    "They differ because of outages, curtailment and model errors.",
  /** A month without data. */
  missingValue:
    "A dash, a hatched field in a strip or an empty cell marks a missing value, not zero.",
  intervalMeaning:
    "The 90 % interval shows the possible error of the predicted energy, as far as the calibration is known.",
  /** First sheet of a workbook, ends of an interval in two columns, page number on paper. */
  workbook: { fleet: "Fleet", ends: ["from", "to"], page: ["Page", "of"] },
  /** Where figures come from. */
  sources: {
    unknown: "source not stated",
    line: (
      operation: string,
      parameters: string,
      world: string,
      fetched: string | undefined,
      hash: string,
    ) =>
      `${operation}(${parameters}) from ${worlds[world] ?? world}` +
      (fetched === undefined ? "" : `, fetched ${fetched}`) +
      (hash ? `, sha256 ${hash}` : ""),
    what: (what: string, line: string) => `${what}: ${line}`,
    details: "Details",
    indices: "Indices",
    comparison: "Prediction compared",
    fleet: (number: number, world: string, first: string, last: string) =>
      `Figures of ${formatTurbines(number)} from ${worlds[world] ?? world}, fetched ${
        first === last ? first : `${first} to ${last}`
      }; each turbine's page names its own sources with their hashes`,
    made: (at: string) => `Made with Vindkit, ${at}`,
  },
} as const;
