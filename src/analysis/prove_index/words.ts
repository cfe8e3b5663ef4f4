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

/** Sentences of a proof, by what was found. */
export const words = {
  unseen: (
    { periods, unit, error, worst, bias }: Figures<"periods" | "error" | "worst" | "bias"> & {
      unit: string;
    },
  ) =>
    `Each of ${formatCount(periods, unit)} was predicted from the others: ${
      percent(error)
    } off on ` +
    `average, ${percent(worst)} at most, ${formatSigned(bias, 1)} % in the mean.`,
  intervals: ({ hits, periods, width }: Figures<"hits" | "periods" | "width">) =>
    `${hits} of ${periods} are inside their 90 % interval, which reaches ${percent(width)} to ` +
    "either side on average.",
  methods: ({ methods }: { methods: readonly { method: string; error: number }[] }) =>
    `Simpler ways miss the same by: ${
      methods.map(({ method, error }) => `${method} ${percent(error)}`).join(", ")
    }.`,
  beaten: ({ method }: { method: string }) =>
    `Here ${method} would have been clearly better: look at the site before you use the index.`,
  now: ({ months, year, month }: Figures<"months" | "year" | "month">) =>
    `Nine of ten records of ${formatCount(months, "month")} like this one know a normal year to ` +
    `within ${percent(year)}, and a month of another year to within ${percent(month)}.`,
  more: ({ tolerance, more }: { tolerance: number; more: number | null }) =>
    `A normal year to within ${percent(tolerance)} ${
      more === 0
        ? "is reached"
        : `needs ${
          more === null ? "more than twenty years" : `about ${formatCount(more, "month")} more`
        }`
    }.`,

  other_years: ({ years, move, learnt }: Figures<"years" | "move"> & { learnt: boolean }) =>
    `What this cannot know: all periods are of ${
      formatCount(years, "year")
    }, and how far the level ` +
    `of the reanalysis moves from year to year is ${
      learnt ? "learnt beside that of other sites" : "that of other sites"
    }, ${percent(move)}. A change of the turbine would be part of the errors.`,
  season_unknown: ({ months }: Figures<"months">) =>
    `The season of the errors is that of other sites: ${
      formatCount(months, "month")
    } do not show it.`,
  no_months: () => "How many more are needed is known for months only: production is annual.",
  few: ({ periods }: Figures<"periods">) =>
    `${formatCount(periods, "period")} cannot tell a hit rate of 90 % from one of 75 or 99 %.`,
  left_out: ({ periods }: { periods: readonly { period: string; reason: string }[] }) =>
    `Not predicted: ${periods.map(({ period, reason }) => `${period}, ${reason}`).join("; ")}.`,
};

/** What a proof found. */
export type ProofFound = Found<typeof words>;
