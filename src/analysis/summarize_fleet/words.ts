import { formatFigures, formatPercent, joinNames } from "../../show/text/numbers.ts";
import type { Found } from "../series/answer.ts";
import type { Verdict } from "../verdict/row.ts";
import { formatPeriod, nameNormal } from "../verdict/words.ts";

/** Units of the figures of findings, by name. */
export const units = {
  energy: "MWh",
  normal: "MWh",
  produced: "MWh",
  deviation: "MWh",
  deviation_share: "%",
  index: "%",
} as const;

/** Sentences of the summary of a fleet, by what was found. */
export const words = {
  verdict: ({ text }: Verdict) => text,
  turbine: ({ name, text }: { name: string; text: string }) => `${name}: ${text}`,
  wind_of_fleet: (
    { period, turbines, energy, index }: {
      period: string;
      turbines: number;
      energy: number;
      index: number;
    },
  ) =>
    `The wind of ${formatPeriod(period)} was worth ${formatFigures([energy], "MWh")} to ${
      turbines === 1 ? "1 turbine" : `${turbines} turbines`
    }, ${formatPercent(index)} of ${nameNormal(period)}.`,
  owner_share: ({ owner, text }: { owner: string; text: string }) =>
    `The share of ${owner}: ${text}`,
  useless: ({ turbines }: { turbines: readonly string[] }) =>
    `The wind does not explain the production of ${
      joinNames(turbines)
    }: the calibration is useless, and so is that part of the sums.`,
  without_figures: ({ turbines }: { turbines: readonly string[] }) =>
    `No figures of this time: ${joinNames(turbines)}.`,
};

/** What the summary of a fleet found. */
export type FleetFound = Found<typeof words>;
