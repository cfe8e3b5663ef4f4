import {
  calendarMonth,
  formatCount,
  formatFigures,
  formatMonth,
  formatNumber,
} from "../../show/text/numbers.ts";

/** A figure without its unit. */
export const formatFigure = (value: number) => formatNumber(value, 1);
/** "194.1 MWh". */
export const formatEnergy = (value: number) => formatFigures([value], "MWh");
/** First and last year. */
export type Years = readonly [first: number, last: number];

/** "100 % = mean of 1997 to 2008 (12 years)". */
export const formatReference = ([first, last]: Years) =>
  `100 % = mean of ${first === last ? first : `${first} to ${last}`} (${
    formatCount(last - first + 1, "year")
  })`;

/** "1 turbine", "80 turbines". */
export const formatTurbines = (number: number) => formatCount(number, "turbine");

/** "20", or "19 of 20". */
export function formatOutOf(known: number, all: number): string {
  return known === all ? formatNumber(all) : `${formatNumber(known)} of ${formatNumber(all)}`;
}

/** Describes how far an energy is from normal, judged by the rounded value that readers see. */
export function describeDegree(exact: number): string {
  const value = Number(exact.toFixed(1));
  if (value < 90) return "much less wind than usual";
  if (value < 97) return "less wind than usual";
  if (value <= 103) return "about as much wind as usual";
  return value <= 110 ? "more wind than usual" : "much more wind than usual";
}

/** "October to December 2025". */
export function formatQuarter(first: string, last: string): string {
  return `${calendarMonth(first)} to ${formatMonth(last)}`;
}

/** Ends of the interval of an energy. */
export interface Interval {
  readonly predicted_production_low: number | null;
  readonly predicted_production_high: number | null;
}

/** A 90 % interval, if known. */
export function formatInterval(
  { predicted_production_low: low, predicted_production_high: high }: Interval,
): string {
  return low === null || high === null
    ? ""
    : ` (90 % interval ${formatFigures([low, high], "MWh")})`;
}

/** Why a quarter or a year has no figure; `without` is the month of the report if it has no figures itself. */
export function explainMissing(without: string | null): string {
  return without === null
    ? "not all of its months have a figure"
    : `${formatMonth(without)} has no figures, so earlier quarters and years have none either`;
}

/** Names of the worlds on a page. */
export const worlds: Readonly<Record<string, string>> = {
  sample: "the built-in sample",
  own: "own data",
  live: "the service",
};

/** Names of the sections of a page. */
export const headings = {
  fleet: "All turbines",
  groups: "Parks",
  wind: "Wind of the fleet",
  figures: "The figures of the month",
  small: "Wind of each turbine",
  short: "Wind or turbine?",
  verdicts: "Losses of each turbine",
  twelve: "Last 12 months",
  facts: "The turbine",
  without: "Turbines without figures",
  definitions: "What the figures mean",
  sources: "Sources",
  answer: "In short",
  notes: "Left out or assumed",
} as const;

/** Names of columns and facts outside of the contract. */
export const labels = {
  turbine: "Turbine",
  park: "Park",
  turbines: "Turbines",
  entries: "Entries",
  strip: "12 months",
  interval: "90 % interval",
  ratio: "Produced against predicted",
  produced: "Produced",
  deviation: "Against normal",
  hours: "Hours with model data",
  compared: "Hours compared",
  status: "Status",
  verdict: "Verdict",
  id: "Id",
  place: "Place",
  units: "Number of turbines",
  training: "Training window",
  lastIndex: "Last index",
  figure: "Figure",
  value: "Value",
  meaning: "Meaning",
  share: "Share",
} as const;

/** Titles of charts. */
export const charts = {
  steps: (month: string) => `From a normal ${calendarMonth(month)} to produced energy`,
  verdicts: (month: string, shown: number, all: number) =>
    `Wind or turbine? ${formatMonth(month)}` +
    (shown < all ? `: the ${shown} of ${formatTurbines(all)} that lost the most` : ""),
  fleetIndex: (month: string) => `Wind energy of the fleet to ${formatMonth(month)}`,
  fleetMap: (month: string) =>
    `The turbines and their month abnormality index, ${formatMonth(month)}`,
  fleetName: "the fleet",
  small: (label: string, number: number) => `${label} of ${formatTurbines(number)}`,
} as const;

/** Names of tables for screen readers. */
export const tables = {
  values: (currency: string) =>
    `Value of these energies at the prices given, in ${currency}. This is not a settlement: it excludes fees, balancing and contract payments.`,
  fleet: (month: string) => `Figures of all turbines, ${formatMonth(month)}`,
  groups: (month: string) => `Figures of the parks, ${formatMonth(month)}`,
  verdicts: (month: string) => `Losses of each turbine, ${formatMonth(month)}`,
  twelve: (month: string) => `Twelve months to ${formatMonth(month)}`,
  indices: (month: string) => `Wind of the twelve months to ${formatMonth(month)}`,
} as const;

/** Steps from a normal month to the actual production. */
export const steps = {
  normal: "Normal",
  wind: "Wind",
  stops: "Stops",
  limited: "Curtailment",
  rest: "Rest",
  stopsAndRest: "Stops and rest",
  produced: "Produced",
} as const;
