import {
  formatCount,
  formatFigures,
  formatNumber,
  formatPercent,
} from "../../show/text/numbers.ts";
import type { Loss } from "../check_performance/losses/lost_energy.ts";
import { type FindingOf, readingWords } from "../series/answer.ts";

/** Units of the figures of findings, by name. */
export const units = {
  time: "%",
  production: "%",
  hours: "h",
  lost: "MWh",
} as const;

/** Source of states. */
export type StateSource = "events" | "counters" | "production";

const SOURCES = { events: "the log", counters: "the counters", production: "power alone" };

/** An availability and the ends of its interval, %. */
type Shares = Record<"time" | "production" | "low" | "high", number | null>;

/** One stop or all stops of a category: hours, and energy lost. */
interface Stops {
  readonly category: string;
  readonly hours: number;
  readonly lost: number;
}

const formatHours = (hours: number) => `${formatNumber(hours, hours < 100 ? 1 : 0)} h`;

/** Formats a figure, with its interval if known. */
function formatWithEnds(value: number, low: number | null, high: number | null, unit: string) {
  const known = low !== null && high !== null && low < high;
  return formatFigures([value], unit) +
    (known ? ` (90 % interval ${formatFigures([low, high], unit)})` : "");
}

const formatShares = ({ time, production, low, high }: Shares) =>
  [
    time === null ? "unknown by time" : `${formatPercent(time)} by time`,
    ...(production === null ? [] : [`${formatWithEnds(production, low, high, "%")} by production`]),
  ].join(" and ");

const formatStops = ({ category, hours, lost }: Stops) =>
  `${category} ${formatHours(hours)}` +
  (Number.isFinite(lost) ? ` (${formatFigures([lost], "MWh")})` : "");

/** Sentences of a measured availability, by finding code. */
export const words = {
  availability: ({ source, hours, ...shares }: { source: StateSource; hours: number } & Shares) =>
    `Availability from ${SOURCES[source]} (${formatHours(hours)}) was ${formatShares(shares)}.`,
  stops: (
    { stops, lost, lost_low, lost_high }: Loss & { stops: readonly Stops[] },
  ) =>
    stops.length === 0
      ? "The data show no stops."
      : `${
        Number.isFinite(lost)
          ? `Stops and curtailment cost ${formatWithEnds(lost, lost_low, lost_high, "MWh")}`
          : "The turbine was stopped or curtailed"
      }: ${stops.toSorted((a, b) => b.hours - a.hours).map(formatStops).join(", ")}.`,
  contract: (shares: Shares) => `Under the contract, availability was ${formatShares(shares)}.`,

  uncovered: ({ hours }: { hours: number }) =>
    `The availability excludes ${
      formatHours(hours)
    }, because the data do not show whether the turbine could run.`,
  what_counts: () =>
    'The column "counts" shows whether a category counts as available, regardless of who stopped the turbine. ' +
    "If your contract defines this differently, give { contract }.",
  stops_not_in_log: ({ count, lost }: { count: number; lost: number }) =>
    `The production shows ${
      formatCount(count, "stop")
    } that the log does not list. This time counts as available, although ${
      formatFigures([lost], "MWh")
    } were lost in it.`,
  power_alone: () =>
    "Power alone does not show causes, or stops shorter than four hours. To see them, give the frame that readEvents() returns.",
  ...readingWords,
};

/** Findings of an availability. */
export type AvailabilityFinding = FindingOf<typeof words>;
