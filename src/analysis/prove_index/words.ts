import { formatCount, formatNumber, formatSigned, joinNames } from "../../show/text/numbers.ts";
import type { FindingOf } from "../series/answer.ts";

/** Units of the figures of findings, by name. */
export const units = {
  error: "%",
  worst: "%",
  bias: "%",
  width: "%",
  tolerance: "%",
  year: "%",
  month: "%",
  move: "%",
} as const;

type Figures<Name extends string> = Readonly<Record<Name, number>>;

const percent = (value: number) => `${formatNumber(value, 1)} %`;

/** Sentences of a proof, by finding code. */
export const words = {
  unseen: (
    { periods, unit, error, worst, bias }: Figures<"periods" | "error" | "worst" | "bias"> & {
      unit: string;
    },
  ) =>
    `In ${unit}s left out of the calibration, the index is off by ${
      percent(error)
    } on average and ${percent(worst)} at most. The bias is ${
      formatSigned(bias, 1)
    } %. The proof predicted each of ${formatCount(periods, unit)} from the other${
      periods === 2 ? "" : "s"
    }.`,
  intervals: ({ hits, periods, width }: Figures<"hits" | "periods" | "width">) =>
    `${hits} of ${periods} periods are inside their 90 % interval, which is ±${
      percent(width)
    } on average.`,
  methods: ({ methods }: { methods: readonly { method: string; error: number }[] }) =>
    `Simpler methods are off by ${
      joinNames(methods.map(({ method, error }) => `${percent(error)} (${method})`))
    } on average.`,
  beaten: ({ method }: { method: string }) =>
    `At this site, the simpler method "${method}" predicts clearly better than the index. Check the site file before you use the index.`,
  now: ({ months, year, month }: Figures<"months" | "year" | "month">) =>
    `With ${formatCount(months, "month")} like these, a normal year is within ${
      percent(year)
    } in ` +
    `nine of ten cases, and a month outside this record within ${percent(month)}.`,
  more: ({ tolerance, more }: { tolerance: number; more: number | null }) =>
    `The record ${
      more === 0
        ? "is long enough"
        : `needs ${
          more === null ? "more than 20 years in total" : `about ${formatCount(more, "more month")}`
        }`
    } to predict a normal year to within ${percent(tolerance)}.`,

  other_years: ({ years, move, learnt }: Figures<"years" | "move"> & { learnt: boolean }) =>
    `All periods are from ${
      formatCount(years, "year")
    }, and other years may differ. The level of the reanalysis varies by ${
      percent(move)
    } from year to ` +
    `year, as ${
      learnt ? "this site and others show" : "other sites show"
    }. If the turbine changed, the errors include the change.`,
  season_unknown: ({ months }: Figures<"months">) =>
    `The seasonal pattern of the errors comes from other sites, because ${
      formatCount(months, "month")
    } are too few to estimate it.`,
  no_months: () =>
    "With annual production, the proof cannot estimate how many more months you need.",
  few: ({ periods }: Figures<"periods">) =>
    `${
      formatCount(periods, "period")
    } are too few to distinguish a hit rate of 90 % from 75 or 99 %.`,
  left_out: ({ periods }: { periods: readonly { period: string; reason: string }[] }) =>
    `The proof leaves out ${
      joinNames(periods.map(({ period, reason }) => `${period} (${reason})`))
    }.`,
};

/** Findings of a proof. */
export type ProofFinding = FindingOf<typeof words>;
