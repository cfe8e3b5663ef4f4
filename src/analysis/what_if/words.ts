import { formatNumber, formatSigned, joinNames } from "../../show/text/numbers.ts";
import type { Found } from "../series/answer.ts";

/** Units of the figures of findings, by name. */
export const units = { now: "MWh", whatIf: "MWh", change: "%", mean: "points", more: "%" };

type Figures<Name extends string> = Readonly<Record<Name, number>>;

const energy = (value: number) => `${formatNumber(value)} MWh`;

/** Sentences of a what-if, by what was found. */
export const words = {
  energy: (
    { what, now, whatIf, change }: Figures<"now" | "whatIf" | "change"> & { what: string[] },
  ) =>
    `With ${joinNames(what) || "no change"} a normal year gives ` +
    `${energy(whatIf)} in place of ${energy(now)}: ${formatSigned(change, 1)} %.`,
  index: ({ mean }: Figures<"mean">) =>
    `The abnormality index of a month moves by ${formatNumber(mean, 1)} points on average.`,

  kept: () =>
    "The calibration is kept as it was fitted: what it makes up for today, such as wakes or a shear that " +
    "is not that of the climate, goes into the changed figures too. How sure these are is not known.",
  shear: ({ exponent, hourly, more }: Figures<"exponent" | "more"> & { hourly: boolean }) =>
    `Wind to the other height by the power law, exponent ${formatNumber(exponent, 3)}${
      hourly ? " on average, that of each hour of the climate" : " in all hours, as declared"
    }: ${formatSigned(more, 1)} %. Air density by the barometric formula.`,
  reference: ({ from, to }: Figures<"from" | "to">) =>
    `The reference period of today is not known without report: ${from} to ${to} is assumed.`,
};

/** What a what-if found. */
export type WhatIfFound = Found<typeof words>;
