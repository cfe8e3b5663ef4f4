import {
  formatCount,
  formatFigures,
  formatMonth,
  formatNumber,
  formatPercent,
  formatShare,
  formatSigned,
  joinNames,
} from "../../show/text/numbers.ts";
import { type FindingOf, readingWords } from "../series/answer.ts";
import type { Verdict } from "../verdict/row.ts";
import type { Loss } from "./losses/lost_energy.ts";

/** Units of the figures of findings, by name. */
export const units = {
  produced: "MWh",
  predicted: "MWh",
  energy: "MWh",
  expected: "MWh",
  lost: "MWh",
  energy_low: "MWh",
  energy_high: "MWh",
  lost_low: "MWh",
  lost_high: "MWh",
  ratio: "%",
  band_low: "%",
  band_middle: "%",
  band_high: "%",
  size: "%",
  size_low: "%",
  size_high: "%",
  placebo: "%",
  neighbours: "%",
  smallest: "%",
  share: "%",
  level: "kW",
  highest: "kW",
  rated_power: "kW",
  hours: "h",
} as const;

type Kind = "month" | "year";

/** A month or a year, "2018-05" or "2018", with a figure. */
interface Named {
  readonly period: string;
}

/** Steps of a deviation, as rows. */
interface Steps {
  readonly steps: readonly (
    & Readonly<Record<"energy" | "energy_low" | "energy_high" | "share", number>>
    & { readonly step: string }
  )[];
}

/** Change on other dates, %, change of the neighbours, %, and days without neighbours. */
type NamedChange = { placebo: number; neighbours: number | null; left_out: number };

/** Largest number of things that a sentence names. */
export const MAX_NAMED = 12;

/** Formats a period: "May 2018" or "2018". */
const formatPeriod = (period: string) => period.length > 4 ? formatMonth(period) : period;

const formatRatios = (periods: readonly (Named & { readonly ratio: number })[]) =>
  joinNames(
    periods.map(({ period, ratio }) => `${formatPeriod(period)} (${formatPercent(ratio)})`),
    MAX_NAMED,
  ) + (periods.length === 1 ? " is" : " are");

/** Formats a loss: "216 MWh (90 % interval 180 to 250 MWh)". */
function formatLoss({ lost, lost_low, lost_high }: Loss): string {
  const interval = Number.isFinite(lost_low)
    ? ` (90 % interval ${formatFigures([lost_low, lost_high], "MWh")})`
    : " (without an interval)";
  return formatFigures([lost], "MWh") + interval;
}

/** Formats hours of the day as spans: ", from 22:00 to 06:00"; "" for all of them. */
function formatHoursOfDay(hours: readonly number[]): string {
  if (hours.length === 24 || hours.length === 0) return "";
  const isIn = (hour: number) => hours.includes((hour + 24) % 24);
  const clock = (hour: number) => `${String(hour % 24).padStart(2, "0")}:00`;
  const spans = hours.filter((hour) => !isIn(hour - 1)).map((from) => {
    let to = from;
    while (isIn(to)) to++;
    return `${clock(from)} to ${clock(to)}`;
  });
  return `, daily from ${spans.join(" and ")}`;
}

/** How a power limit is known. */
const LIMITED = {
  declared: "A column of the production states the limit.",
  status: "The status log states the limit.",
  found:
    "No column or log states it. The power stayed level, well below what the wind or the neighbours allowed. Ask the operator.",
} as const;

const AGAINST = { prediction: "the prediction", neighbours: "the neighbours" } as const;

/** Why the effect of air density is unknown. */
export type DensityUnknown =
  | { readonly reason: "no_curve" | "constant" | "no_control" }
  | { readonly reason: "no_column"; readonly column: string }
  | { readonly reason: "other_curve"; readonly share: number }
  | {
    readonly reason: "few_months";
    readonly needed: number;
    readonly months: number;
    readonly name: string;
  };

function explainDensity(unknown: DensityUnknown): string {
  switch (unknown.reason) {
    case "no_curve":
      return "the power curve is missing. Give it with { details: await turbineDetails(id) }";
    case "no_column":
      return `the model data have no "${unknown.column}". Give the frame of modelData()`;
    case "constant":
      return "the air density of the model data never changes, as if temperature and pressure were missing";
    case "no_control":
      return "the power curve has no points, or its control is not pcPitch or pcStall";
    case "other_curve":
      return `the power curve gives ${
        unknown.share.toFixed(0)
      } % of the model's energy, so the details are probably ` +
        "of another turbine. Give the details of the turbine whose model data you use";
    case "few_months":
      return `each calendar month must be complete in ${unknown.needed} years of the model data, but ` +
        `${unknown.name} is complete in ${unknown.months}. Ask modelData() for more years`;
  }
}

/** Sentences on prices. */
export const priceWords = {
  prices_not_above_0: (
    { hours, energy, value, limited, currency }:
      & Record<"hours" | "energy" | "value" | "limited", number>
      & { currency: string },
  ) =>
    `The price was 0 or below in ${formatCount(hours, "hour")}. The production in them was ${
      formatFigures([energy], "MWh")
    }, worth ${formatFigures([value], currency)}${
      limited === 0 ? "" : `. The power was limited in ${formatNumber(limited)} of these hours`
    }.`,
  prices_unused: ({ by }: { by: Kind }) =>
    by === "month"
      ? "Monthly energies have no value, because the prices cover shorter periods. Give monthly prices."
      : "Annual energies have no value, because the prices cover shorter periods. Give one price.",
  prices_missing: ({ hours, all, energy }: Record<"hours" | "all" | "energy", number>) =>
    `Prices are missing for ${formatNumber(hours)} of ${formatCount(all, "hour")}. The ${
      formatFigures([energy], "MWh")
    } produced in them have no value here. Give prices for these hours.`,
};

/** Findings on prices. */
export type PriceFinding = FindingOf<typeof priceWords>;

/** Sentences of a performance check, by finding code. */
export const words = {
  total: (
    { produced, predicted, ratio, periods, by, hours, hours_compared }:
      & Record<"produced" | "predicted" | "ratio" | "periods", number>
      & { by: Kind; hours?: number | undefined; hours_compared?: number | undefined },
  ) =>
    `The turbine produced ${formatFigures([produced], "MWh")}, ${formatPercent(ratio)} of the ${
      formatFigures([predicted], "MWh")
    } predicted for ${formatCount(periods, by)}${
      hours === undefined
        ? ""
        : ` (${formatNumber(hours_compared!)} of ${formatNumber(hours)} hours compared)`
    }.`,
  far_below_others: (
    { by, periods }: { by: Kind; periods: readonly (Named & { ratio: number })[] },
  ) => `${formatRatios(periods)} far below the other ${by}s.`,
  normal_band: (
    { by, energy, band_low, band_middle, band_high, deviations, periods }:
      & Record<
        "energy" | "band_low" | "band_middle" | "band_high" | "deviations" | "periods",
        number
      >
      & { by: Kind },
  ) =>
    `In a normal ${by} with ${formatFigures([energy], "MWh")} expected, production is ` +
    `${formatPercent(band_low)} to ${formatPercent(band_high)} of that energy, with the middle at ${
      formatPercent(band_middle)
    }. The band is the median of ${periods} ${by}s without outages, plus or minus ${deviations} robust ` +
    "standard deviations. It is wider if less is expected.",
  all_within_band: ({ by, periods }: { by: Kind; periods: number }) =>
    `${periods === 1 ? `The ${by} is` : `All ${periods} ${by}s are`} within the normal band.`,
  outside_band: (
    { below, above }: {
      below: readonly (Named & { ratio: number })[];
      above: readonly (Named & { ratio: number })[];
    },
  ) =>
    ([["below", below], ["above", above]] as const).filter(([, periods]) => periods.length > 0)
      .map(([side, periods]) => `${formatRatios(periods)} ${side} the normal band.`).join(" "),
  power_limits: (
    { source, spells, hours, from, to, levels, hours_of_day, ...energies }:
      & Loss
      & Readonly<Record<"from" | "to", string>>
      & Readonly<Record<"spells" | "hours", number>>
      & {
        source: keyof typeof LIMITED;
        levels: readonly number[];
        hours_of_day: readonly number[];
      },
  ) => {
    const [lowest, highest] = levels.map((level) => formatNumber(level));
    const at = levels.length === 0
      ? ""
      : ` to ${lowest === highest ? lowest : `between ${lowest} and ${highest}`} kW`;
    const often = spells === 1 ? "" : ` (${spells} times)`;
    return `Limited power cost ${formatLoss(energies)}. The power was limited${at} in ${
      formatCount(hours, "hour")
    } from ${from} to ${to}${often}${formatHoursOfDay(hours_of_day)}. ${LIMITED[source]}`;
  },
  ...priceWords,
  lasting_change: (
    { change, from, from_low, from_high, size, size_low, size_high, against, ...energies }:
      & Record<"size" | "size_low" | "size_high", number>
      & Record<"from" | "from_low" | "from_high", string>
      & { change: "loss" | "gain"; against: keyof typeof AGAINST }
      & Loss,
  ) => {
    const { lost, lost_low, lost_high } = energies;
    const isLoss = change === "loss";
    const sign = isLoss ? -1 : 1;
    const interval = (ends: readonly number[], unit: string) =>
      `90 % interval ${formatFigures([...ends].sort((a, b) => a - b), unit)}`;
    return `From ${from} on (90 % interval ${from_low} to ${from_high}) the turbine produced ` +
      `${formatPercent(Math.abs(size))} ${isLoss ? "less" : "more"} than before ` +
      `(${interval([sign * size_low, sign * size_high], "%")}), compared with ${
        AGAINST[against]
      }. ` +
      `It ${isLoss ? "lost" : "gained"} ${formatFigures([Math.abs(lost)], "MWh")} ` +
      `(${interval([-sign * lost_low, -sign * lost_high], "MWh")}).`;
  },
  smallest_change: ({ smallest, has_changes }: { smallest: number; has_changes: boolean }) =>
    `${has_changes ? "" : "No lasting change was found. "}This record would show a lasting ` +
    `change of ${formatPercent(smallest)} or more.`,
  too_short_for_changes: ({ needed, by }: { needed: number; by: "week" | Kind }) =>
    `This record is too short to show a lasting change. It needs ${needed} ${by}s without outages.`,
  deviation: (
    { from, energy, produced, steps }: Steps & { from: string; energy: number; produced: number },
  ) =>
    `Steps from ${from.toLowerCase()} (${formatFigures([energy], "MWh")}) to the energy produced (${
      formatFigures([produced], "MWh")
    }): ${
      steps.map((one) =>
        `${one.step.toLowerCase()} ${one.energy < 0 ? "" : "+"}${
          formatFigures([one.energy], "MWh")
        } (${formatSigned(one.share, 1)} %)`
      ).join(", ")
    }.`,
  verdict: ({ text }: Verdict) => text,
  steps: ({ steps }: Steps) =>
    `Steps with their 90 % intervals: ${
      steps.map(({ step, energy, energy_low: low, energy_high: high }) =>
        `${step.toLowerCase()} ${energy < 0 ? "" : "+"}${formatFigures([energy], "MWh")}` +
        (low < high ? ` (${formatFigures([low, high], "MWh")})` : "")
      ).join(", ")
    }.`,
  outages_cost: ({ outages, ...loss }: { outages: number } & Loss) =>
    `${formatCount(outages, "outage")} cost ${formatLoss(loss)}.`,
  outage_cost: ({ outage, largest, ...loss }: { outage: string; largest: boolean } & Loss) =>
    `The ${largest ? `largest outage, "${outage}",` : `outage "${outage}"`} cost ${
      formatLoss(loss)
    }.`,
  no_band: ({ by, needed, periods }: { by: Kind; needed: number; periods: number }) =>
    `There is no normal band, because it needs ${needed} ${by}s without outages and the record has ${periods}.`,
  unusual_ratio: ({ ratio }: { ratio: number }) =>
    `In normal operation, the turbine produces ${formatPercent(ratio)} of the prediction. Losses ` +
    "are scaled by this ratio, and the unexplained step includes it.",
  too_few_hours: ({ periods }: { periods: readonly (Named & { completeness: number })[] }) =>
    `Too few hours have values to judge ${
      joinNames(
        periods.map(({ period, completeness }) =>
          `${formatPeriod(period)} (${formatShare(completeness)} %)`
        ),
        MAX_NAMED,
      )
    }.`,
  outage_without_values: (
    { outage, completeness, cells }: { outage: string; completeness: number; cells: string },
  ) =>
    `Only ${formatShare(completeness)} % of the ${cells} of "${outage}" have values. The others ` +
    "count as no loss. If the turbine was stopped, give 0 instead of a missing value.",
  interval_method: (
    { method, by, periods }: { method: "stretches" | "periods"; by: Kind; periods: number },
  ) =>
    "Lost energy is the expected energy, scaled by the turbine's usual ratio, minus the produced energy. " +
    `Its 90 % interval comes from ${
      method === "stretches"
        ? "normal hours of the same turbine, in stretches of the same length and with similar wind"
        : `Student's t and treats the ${periods} ${by}s without outages as independent`
    }.`,
  no_interval: ({ cells }: { cells: string }) =>
    `Lost energy has no interval, because that needs at least two ${cells} without outages.`,

  outage_named_by_days: ({ outage, from, to }: { outage: string; from: string; to: string }) =>
    `You gave "${outage}" in days. It counts from ${from} to ${to}, its first and last ` +
    "stopped hours, because the turbine ran before and after. To count other hours, give its hours.",
  hours_missing: (
    { hours, longest, from }: { hours: number; longest: number; from: string },
  ) =>
    `${formatCount(hours, "hour is", "hours are")} missing in production or model data${
      longest < hours ? `, ${longest} of them` : ""
    } from ${from} on. The check counts no loss there, and the normal energy is scaled to the hours compared.`,
  never_power: ({ highest, rated_power }: { highest: number; rated_power: number }) =>
    `Column "power" of the production never exceeds ${
      highest.toPrecision(2)
    } kW, but the rated power is ${
      rated_power.toFixed(0)
    } kW. The turbine was stopped all the time, or the unit is wrong.`,
  unit_in_doubt: ({ doubt }: { doubt: string }) => doubt,
  few_normal_hours: ({ hours }: { hours: number }) =>
    `Only ${hours} hours are free of outages, too few for the turbine's usual ratio. ` +
    "Losses come from the unscaled prediction and have no interval. Give a longer record.",
  short_stops_unseen: ({ hours }: { hours: number }) =>
    `The production cannot show stops of less than ${hours} hours, so the unexplained step includes their cost. ` +
    'To see them, give neighbours, or production with a column "availability".',
  period_in_two_outages: (
    { period, outage, other }: { period: string; outage: string; other: string },
  ) =>
    `${period} is in both "${outage}" and "${other}". Its loss counts in the first. Give ` +
    "hourly production to separate them.",
  energies_of_part: ({ shares }: { shares: string }) =>
    `${shares}. They are compared with that share of the expected energy.`,
  all_in_outages: ({ by }: { by: Kind }) =>
    `Every ${by} has an outage, so losses come from the unscaled prediction and have no ` +
    "interval. Give a longer record.",
  named_change: ({ placebo, neighbours, left_out }: NamedChange) =>
    `The change is measured in days, at the date that you named. At nine of ten other dates of this record, ` +
    `without a known change, the same measurement gives less than ${formatNumber(placebo, 1)} %.` +
    (neighbours === null
      ? " Without neighbours, an error of the reanalysis looks like a change. Give { neighbours }."
      : ` The neighbours changed by ${formatSigned(neighbours, 1)} % against the prediction.`) +
    (left_out > 0
      ? ` The measurement leaves out ${formatCount(left_out, "day")} without a running neighbour.`
      : ""),
  neighbours_too_short: ({ weeks, needed }: { weeks: number; needed: number }) =>
    `The search for changes did not use the neighbours, because they have only ${weeks} weeks in common ` +
    `with the turbine, and ${needed} are needed. Give their production for the same time.`,

  rated_power_assumed: ({ rated_power }: { rated_power: number }) =>
    `The rated power is unknown, so the largest predicted power, ${
      rated_power.toFixed(0)
    } kW, replaces it. ` +
    "Give { details: await turbineDetails(id) }.",
  neighbours_unused: () =>
    "Neighbours were not used, because they need hourly production and hourly model data.",
  months_of_zone: ({ zone }: { zone: string }) =>
    `Months are in ${zone}. For months in the turbine's time zone, give ` +
    "{ details: await turbineDetails(id) }.",
  availability_unused: () =>
    "The hourly availability was not used, because the prediction is monthly. Give hourly model data.",
  other_prediction: ({ ratio }: { ratio: number }) =>
    `For the same months, the indices predict ${
      ratio.toFixed(1)
    } % of the energy in the model data. ` +
    "The wind step includes the difference. Give indices and model data of the same turbine and revision.",
  normal_of_model: ({ from, to }: { from: number; to: number }) =>
    `Normal is the mean of the model data from ${from} to ${to}. For the reference period of the ` +
    "indices, give { indices: await monthlyIndices(id) }.",
  normal_density: ({ months }: { months: number }) =>
    `Normal air density is the mean of each calendar month, from at least ${months} years of the model ` +
    "data. The step of a month includes the variation between its hours.",
  density_unknown: (unknown: DensityUnknown) =>
    `Cannot separate wind and air density: ${explainDensity(unknown)}.`,
  stops_unseen: ({ by }: { by: Kind }) =>
    `No outage lasts a whole ${by}, and ${by}s do not show shorter stops, so the unexplained step ` +
    'includes availability. Give hourly production with hourly model data, a column "availability", ' +
    "or the outages.",
  normal_unknown: () =>
    "The steps begin with the prediction, because the normal production is unknown. The prediction includes wind " +
    "and air density. Give { indices: await monthlyIndices(id) }, or model data of five whole years.",
  steps_leave_out: ({ periods }: { periods: readonly string[] }) =>
    `The steps leave out ${
      joinNames(periods)
    }, because their normal production is unknown. Give indices ` +
    "with the same months of other years.",
  ...readingWords,
};

/** Findings of a performance check. */
export type PerformanceFinding = FindingOf<typeof words>;
