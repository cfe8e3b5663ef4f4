import {
  formatFigures,
  formatMonth,
  formatNumber,
  formatPercent,
  joinNames,
} from "../../show/text/numbers.ts";
import { type Found, readingWords } from "../series/answer.ts";

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

/** An expected energy; the ends of its 90 % interval are `null` without one. */
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
  below: ", less than in nineteen of twenty years",
  above: ", more than in nineteen of twenty years",
  within: ", as in nine of ten years",
  unknown: "",
} as const;

/** Sentences of a budget, by what was found. */
export const words = {
  budget: ({ from, to, ...total }: { from: string; to: string } & Expected) =>
    `${span(from, to)}: ${energy(total.expected)} are expected${interval(total)}.`,
  to_date: (
    { months, produced, ratio, place, ...total }: {
      months: number;
      produced: number;
      ratio: number;
      place: keyof typeof PLACES;
    } & Expected,
  ) =>
    `${months} month${months === 1 ? "" : "s"} with production gave ${energy(produced)} of ` +
    `${energy(total.expected)} expected${interval(total)}: ${formatFigures([ratio], "%")}${
      PLACES[place]
    }.`,
  wind_allowed: ({ allowed, ratio }: { allowed: number; ratio: number }) =>
    `The wind of these months allowed ${energy(allowed)}: ${
      formatFigures([ratio], "%")
    } of what was expected.`,
  forecast: ({ from, to, ...total }: { from: string; to: string } & Expected) =>
    `With them and normal months for the rest, ${span(from, to)} should give ${
      energy(total.expected)
    }${interval(total)}.`,

  own_production_is_normal: () =>
    "Normal months are the means of the turbine's own production outside of the budget: they include " +
    "its past outages, and are as uncertain as few years are.",
  level_of_months: ({ months }: { months: number }) =>
    `The level comes from ${months} months before the budget, with their outages: give a ` +
    "level where those will not come again.",
  no_level: ({ needed, before, months }: { needed: number; before: string; months: number }) =>
    `The budget is that of the model: the level of the turbine needs production of ` +
    `${needed} months before ${before}, there are ${months}. Give more of it, or a level.`,
  planned: (
    { availability, degradation }: { availability: number | null; degradation: number },
  ) =>
    `Planned: ${
      joinNames([
        ...(availability === null ? [] : [`an availability of ${formatPercent(availability)}`]),
        ...(degradation > 0
          ? [`${formatNumber(degradation, 2)} % less in each year after the first`]
          : []),
      ])
    }.`,
  availability_unused: () =>
    "Availability is not used: the budget includes the losses of stops, as the production does.",
  months_without_production: ({ months }: { months: readonly string[] }) =>
    `Without production of the whole month: ${months.join(", ")}. They count as normal ` +
    "months, like future ones.",
  no_interval: ({ needed }: { needed: number }) =>
    `No interval: it needs at least ${needed} years of the same months. Give more years.`,
  without_level: ({ turbines }: { turbines: readonly string[] }) =>
    `Budgeted at the level of the model, because fewer than six months of production are known: ${
      joinNames(turbines)
    }.`,
  ...readingWords,
};

/** What a budget found. */
export type BudgetFound = Found<typeof words>;
