import { calendarMonth } from "../../show/text/month.ts";
import { formatNumber } from "../../show/text/numbers.ts";
import type { Found } from "../series/findings.ts";

/** Units of the figures of findings, by name. */
export const units = { energy: "MWh", normal: "MWh", index: "%" } as const;

/** Sentences of the month of a fleet, by what was found. */
export const words = {
  fleet_month: (
    { month, turbines, energy, index }: {
      month: string;
      turbines: number;
      energy: number;
      index: number;
    },
  ) =>
    `In ${month} the wind would have given ${turbines} turbine${turbines === 1 ? "" : "s"} ` +
    `${formatNumber(energy)} MWh, ${formatNumber(index, 1)} % of a normal ${calendarMonth(month)}.`,
  owner_share: (
    { owner, month, energy, index }: {
      owner: string;
      month: string;
      energy: number;
      normal: number;
      index: number;
    },
  ) =>
    `The share of ${owner} in that is ${formatNumber(energy, 1)} MWh` +
    (Number.isNaN(index)
      ? "."
      : `, ${formatNumber(index, 1)} % of a normal ${calendarMonth(month)}.`),
  without_figures: ({ turbines }: { turbines: readonly string[] }) =>
    `Without figures of the month: ${turbines.join(", ")}.`,
};

/** What the summary of a fleet found. */
export type FleetFound = Found<typeof words>;
