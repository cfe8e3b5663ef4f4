import { formatCount, formatNumber, formatSigned } from "../../show/text/numbers.ts";
import type { Found } from "../series/answer.ts";

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
    `The index is ${percent(error)} off on average, ${percent(worst)} at most, with a bias of ${
      formatSigned(bias, 1)
    } %: each of ${formatCount(periods, unit)} was predicted from the others.`,
  intervals: ({ hits, periods, width }: Figures<"hits" | "periods" | "width">) =>
    `${hits} of ${periods} are inside their 90 % interval, which reaches ${percent(width)} to ` +
    "either side on average.",
  methods: ({ methods }: { methods: readonly { method: string; error: number }[] }) =>
    `Simpler methods are off on average by: ${
      methods.map(({ method, error }) => `${method} ${percent(error)}`).join(", ")
    }.`,
  beaten: ({ method }: { method: string }) =>
    `Here ${method} would have been clearly better. Check the site before you use the index.`,
  now: ({ months, year, month }: Figures<"months" | "year" | "month">) =>
    `With ${formatCount(months, "month")} like these, a normal year is within ${
      percent(year)
    } in ` +
    `nine of ten cases, and a month of another year within ${percent(month)}.`,
  more: ({ tolerance, more }: { tolerance: number; more: number | null }) =>
    `For a normal year within ${percent(tolerance)}, the record ${
      more === 0
        ? "is long enough"
        : `needs ${
          more === null ? "more than twenty years" : `about ${formatCount(more, "month")} more`
        }`
    }.`,

  other_years: ({ years, move, learnt }: Figures<"years" | "move"> & { learnt: boolean }) =>
    `All periods are from ${
      formatCount(years, "year")
    }: other years may differ. The level of the reanalysis moves by ${
      percent(move)
    } from year to ` +
    `year, ${
      learnt ? "learnt from this site and others" : "learnt from other sites"
    }. A change of the turbine would be part of the errors.`,
  season_unknown: ({ months }: Figures<"months">) =>
    `The season of the errors comes from other sites, because ${
      formatCount(months, "month")
    } do not show it.`,
  no_months: () => "Annual production does not show how many more months are needed.",
  few: ({ periods }: Figures<"periods">) =>
    `${formatCount(periods, "period")} cannot tell a hit rate of 90 % from one of 75 or 99 %.`,
  left_out: ({ periods }: { periods: readonly { period: string; reason: string }[] }) =>
    `Not predicted: ${periods.map(({ period, reason }) => `${period}, ${reason}`).join("; ")}.`,
};

/** Findings of a proof. */
export type ProofFound = Found<typeof words>;
