import {
  formatCount,
  formatFigures,
  formatNumber,
  formatPercent,
} from "../../show/text/numbers.ts";
import type { Loss } from "../check_performance/losses/lost_energy.ts";
import { type Found, readingWords } from "../series/answer.ts";

/** Units of the figures of findings, by name. */
export const units = {
  time: "%",
  production: "%",
  hours: "h",
  lost: "MWh",
} as const;

/** What states come from. */
export type StateSource = "events" | "counters" | "production";

const SOURCES = { events: "its log", counters: "its counters", production: "its power alone" };

/** An availability, %, and the ends of its interval. */
type Shares = Record<"time" | "production" | "low" | "high", number | null>;

/** A stop, or all of one category: hours, and what it cost. */
interface Stops {
  readonly category: string;
  readonly hours: number;
  readonly lost: number;
}

const formatHours = (hours: number) => `${formatNumber(hours, hours < 100 ? 1 : 0)} h`;

/** Formats a figure with its interval where it has one. */
function formatWithEnds(value: number, low: number | null, high: number | null, unit: string) {
  const known = low !== null && high !== null && low < high;
  return formatFigures([value], unit) +
    (known ? ` (90 % interval ${formatFigures([low, high], unit)})` : "");
}

const formatShares = ({ time, production, low, high }: Shares) =>
  [
    time === null ? "no known share of the time" : `${formatPercent(time)} of the time`,
    ...(production === null ? [] : [`${formatWithEnds(production, low, high, "%")} by production`]),
  ].join(", ");

const formatStops = ({ category, hours, lost }: Stops) =>
  `${category} ${formatHours(hours)}` +
  (Number.isFinite(lost) ? ` (${formatFigures([lost], "MWh")})` : "");

/** Sentences of a measured availability, by what was found. */
export const words = {
  availability: ({ source, hours, ...shares }: { source: StateSource; hours: number } & Shares) =>
    `In ${formatHours(hours)} the turbine was available, by ${SOURCES[source]}: ${
      formatShares(shares)
    }.`,
  stops: (
    { stops, lost, lost_low, lost_high }: Loss & { stops: readonly Stops[] },
  ) =>
    stops.length === 0
      ? "No stop is known."
      : `Stopped or limited: ${
        stops.toSorted((a, b) => b.hours - a.hours).map(formatStops).join(", ")
      }${
        Number.isFinite(lost) ? `; lost ${formatWithEnds(lost, lost_low, lost_high, "MWh")}` : ""
      }.`,
  contract: (shares: Shares) => `By the contract: ${formatShares(shares)}.`,

  uncovered: ({ hours }: { hours: number }) =>
    `${
      formatHours(hours)
    } are without information and left out: nothing says whether the turbine could run.`,
  what_counts: () =>
    'What counts as what is an assumption of ours, in the column "counts": could the turbine run, ' +
    "whoever stopped it? A contract has its own table: give { contract }.",
  stops_not_in_log: ({ count, lost }: { count: number; lost: number }) =>
    `The log has no entry for ${formatCount(count, "standstill")} that the production shows: ${
      formatFigures([lost], "MWh")
    }, counted as available.`,
  power_alone: () =>
    "Power alone shows neither causes nor stops of less than four hours: the frame of readEvents() has them.",
  ...readingWords,
};

/** What was found of an availability. */
export type AvailabilityFound = Found<typeof words>;
