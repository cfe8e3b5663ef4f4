import { formatFigures, formatNumber, joinNames } from "../../show/text/numbers.ts";
import { INTERVAL_LEVEL } from "../../windindex/uncertainty/error_terms.ts";
import { type FindingOf, readingWords } from "../series/answer.ts";
import type { UncertaintyTables } from "./uncertainty.ts";

/** Units of the figures of findings, by name. */
export const units = {
  energy: "MWh",
  low: "MWh",
  high: "MWh",
  p50: "MWh",
  p75: "MWh",
  p90: "MWh",
  lost: "%",
  standard_error: "%",
  of_variance: "%",
  hours: "h",
  apart: "%",
  of_index: "%",
} as const;

type Kind = "month" | "year";

/** A month or a year, and why it is left out. */
interface LeftOut {
  readonly period: string;
  readonly reason: string;
}

/** Most periods that a line names. */
const MAX_NAMED = 12;

const formatMean = (years: number) => years === 1 ? "a single year" : `the mean of ${years} years`;

const percent = (value: number) => `${formatNumber(value, 1)} %`;

function formatLeftOut(periods: readonly LeftOut[]): string {
  return joinNames(periods.map(({ period, reason }) => `${period} (${reason})`), MAX_NAMED);
}

/** Sentences of a long-term estimate, by finding code. */
export const words = {
  normal_year: (
    { method, article, energy, low, high, months, hours }:
      & Record<"energy" | "low" | "high" | "months", number>
      & { method: string; article: boolean; hours: number | null },
  ) =>
    `A normal year gives ${formatFigures([energy], "MWh")} (${INTERVAL_LEVEL} % interval ${
      formatFigures([low, high], "MWh")
    }), by ${article ? "the " : ""}${method} with ${
      hours === null ? `${months} months` : `${formatNumber(hours)} hours`
    }.`,
  methods_apart: ({ apart, far }: { apart: number; far: boolean }) =>
    `The methods differ by ${percent(apart)}${
      far
        ? ", more than half the width of the narrowest interval. Check the months that are far from the regression line"
        : ""
    }.`,
  exceeded: (
    { method, lost, exceedance: means }:
      & { method: string; lost: number }
      & Pick<UncertaintyTables, "exceedance">,
  ) =>
    `P50 is ${formatFigures([means[0].p50], "MWh")} a year (${method})${
      lost > 0
        ? `, after declared losses of ${
          percent(lost)
        }. The record must not already include these losses`
        : ""
    }. ${
      means.map(({ years, p75, p90 }) =>
        `For ${formatMean(years)}, P75 and P90 are ${
          p75 && p90 ? formatFigures([p75, p90], "MWh", " and ") : "unknown"
        }.`
      ).join(" ")
    }`,
  shares: ({ exceedance: means, uncertainty }: UncertaintyTables) =>
    `The standard error is ${
      joinNames(means.map(({ years, standard_error: error }) =>
        `${percent(error!)} for ${formatMean(years)}`
      ))
    }. For a single year, its parts are ${
      joinNames(
        uncertainty.filter(({ of_variance }) => of_variance !== 0)
          .map(({ share, standard_error: error, of_variance: part }) =>
            `${share} ${percent(error!)} (${percent(part!)} of the variance)`
          ),
      )
    }. The estimate treats them as independent.`,

  left_out: (
    { by, periods, of }: { by: Kind; periods: readonly LeftOut[]; of: number },
  ) => `The estimate leaves out ${periods.length} of ${of} ${by}s: ${formatLeftOut(periods)}.`,
  time_step_leaves_out: ({ periods }: { periods: readonly LeftOut[] }) =>
    `The time-step calibration leaves out ${formatLeftOut(periods)}.`,
  too_few_periods: (
    { method, by, periods, of, needed }: {
      method: string;
      by: Kind;
      periods: number;
      of: number;
      needed: number;
    },
  ) =>
    `There is no ${method}, because it needs ${needed} ${by}s and only ${periods} of ${of} are usable.`,
  no_line: ({ method, by, periods }: { method: string; by: Kind; periods: number }) =>
    `There is no ${method}, because the line through ${periods} ${by}s gives zero or negative energy at an index of 100 %.`,
  no_time_step: ({ method, why }: { method: string; why: string | undefined }) =>
    `There is no ${method}, because ${
      why ?? "model data and turbine details are missing. Give { model, details }"
    }.`,
  other_normal_year: ({ from, to, of_index }: { from: number; to: number; of_index: number }) =>
    `The normal year of the model data (${from} to ${to}) has ${percent(of_index)} of the energy ` +
    "of the index's normal year. So the estimate scales the time-step calibration to the index. To avoid this, give model " +
    "data for the whole reference period.",
  climate_unknown: ({ needed, years }: { needed: number; years: number }) =>
    `P75 and P90 are unknown, because the year-to-year variation needs ${needed} whole years of indices and there are ${years}. ` +
    "Give more months of indices, or { interAnnualVariability } in % and { referenceYears }.",
  always_available: () =>
    "The normal year assumes 100 % availability, because the estimate scales all production up to full availability. " +
    "Declare the losses that you expect as { losses }.",
  stops_included: (
    { cells, shorter_than }: { cells: string; shorter_than: number | null },
  ) =>
    `The normal year assumes that stops${
      shorter_than === null ? "" : ` shorter than ${shorter_than} hours`
    } are as frequent as in the ${cells} used.`,
  standstill_by_largest: () =>
    "The rated power is unknown, so the search for standstill uses the largest hourly energy of the record. Give { details } with the rated power.",
  standstill_unclear: () =>
    "Without the rated power, the estimate finds standstill only if the energy is 0 or far too low. Give { details }.",
  unit_unchecked: () =>
    "Without the rated power or predicted energies, the estimate cannot find a wrong unit. Give { details }, or indices " +
    'with "predicted_production".',
  months_of_utc: () =>
    "Months are in UTC. For months in the time zone of the indices, give { details }.",
  ...readingWords,
};

/** Findings of an estimate. */
export type LongTermFinding = FindingOf<typeof words>;
