import {
  formatCount,
  formatFigures,
  formatMonth,
  formatNumber,
  formatPercent,
  joinNames,
} from "../../show/text/numbers.ts";
import { type FindingOf, readingWords } from "../series/answer.ts";

/** Units of the figures of findings, by name. */
export const units = {
  expected: "MWh",
  produced: "MWh",
  allowed: "MWh",
  low: "MWh",
  high: "MWh",
  ratio: "%",
  availability: "%",
  degradation: "%",
} as const;

/** An expected energy; the ends of its 90 % interval are `null` if unknown. */
interface Expected {
  readonly expected: number;
  readonly low: number | null;
  readonly high: number | null;
}

const energy = (value: number) => formatFigures([value], "MWh");

const interval = ({ low, high }: Expected) =>
  low === null || high === null ? "" : ` (90 % interval ${formatFigures([low, high], "MWh")})`;

/** Formats months, "2026-01" to "2026-12". */
const span = (from: string, to: string) =>
  from === to ? formatMonth(from) : `${formatMonth(from)} to ${formatMonth(to)}`;

const PLACES = {
  below: " This is unusually low, because nineteen of twenty years would give more.",
  above: " This is unusually high, because nineteen of twenty years would give less.",
  within: " The result is within this interval.",
  unknown: "",
} as const;

/** Sentences of a budget, by finding code. */
export const words = {
  budget: ({ from, to, ...total }: { from: string; to: string } & Expected) =>
    `The expected energy of ${span(from, to)} is ${energy(total.expected)}${interval(total)}.`,
  to_date: (
    { months, produced, ratio, place, ...total }: {
      months: number;
      produced: number;
      ratio: number;
      place: keyof typeof PLACES;
    } & Expected,
  ) =>
    `${formatCount(months, "month")} with production gave ${energy(produced)}, ${
      formatFigures([ratio], "%")
    } of the ${energy(total.expected)} expected${interval(total)}.${PLACES[place]}`,
  wind_allowed: ({ allowed, ratio }: { allowed: number; ratio: number }) =>
    `The wind of these months allowed ${energy(allowed)}, ${
      formatFigures([ratio], "%")
    } of the expected energy.`,
  forecast: ({ from, to, ...total }: { from: string; to: string } & Expected) =>
    `If the remaining months are normal, ${span(from, to)} should give ${energy(total.expected)}${
      interval(total)
    }.`,

  own_production_is_normal: () =>
    "Normal months are means of the turbine's own production outside the budget period. They include " +
    "past outages, and are uncertain if the record has few years.",
  level_of_months: ({ months }: { months: number }) =>
    `The level comes from ${months} months of production before the budget and includes their outages. If you do not ` +
    "expect such outages again, give a level without them.",
  no_level: ({ needed, before, months }: { needed: number; before: string; months: number }) =>
    `The budget does not scale the model to past production, because this needs ${needed} months of production before ` +
    `${before} and the record has ${months}. Give more production, or a level.`,
  planned: (
    { availability, degradation }: { availability: number | null; degradation: number },
  ) =>
    `The plan assumes ${
      joinNames([
        ...(availability === null ? [] : [`an availability of ${formatPercent(availability)}`]),
        ...(degradation > 0
          ? [`${formatNumber(degradation, 2)} % less energy in each year after the first`]
          : []),
      ])
    }.`,
  availability_unused: () =>
    "The budget does not use the declared availability, because the production already includes the losses of stops.",
  months_without_production: ({ months }: { months: readonly string[] }) =>
    `The production of ${
      joinNames(months)
    } is incomplete, so the budget assumes normal production for them, as for future months.`,
  no_interval: ({ needed }: { needed: number }) =>
    `The expected energy has no interval, because that needs at least ${needed} years of the same months. Give more years.`,
  without_level: ({ turbines }: { turbines: readonly string[] }) =>
    `For ${
      joinNames(turbines)
    }, the budget does not scale the model to past production, because each has fewer than six months with production.`,
  ...readingWords,
};

/** Findings of a budget. */
export type BudgetFinding = FindingOf<typeof words>;
