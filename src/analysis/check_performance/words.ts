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
    : " (no interval)";
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
  declared: "The limits come from a column of the production data.",
  status: "The limits come from the status log.",
  found:
    "Vindkit inferred the limits, because the power stayed constant, far below the power that the wind or the neighbours indicate. Ask the operator to confirm them.",
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
      return `the model data have no column "${unknown.column}". Give the frame that modelData() returns`;
    case "constant":
      return "the air density in the model data is constant, probably because temperature and pressure are missing";
    case "no_control":
      return "the power curve has no points, or its control is neither pcPitch nor pcStall. Give details with points and one of these controls";
    case "other_curve":
      return `the power curve gives ${
        unknown.share.toFixed(0)
      } % of the energy in the model data, so the details probably ` +
        "belong to another turbine. Give the details of the turbine that you have model data for";
    case "few_months":
      return `each calendar month must be complete in at least ${unknown.needed} years of the model data, but ` +
        `${unknown.name} is complete in only ${unknown.months}. Request more years with modelData()`;
  }
}

/** Sentences on prices. */
export const priceWords = {
  prices_not_above_0: (
    { hours, energy, value, limited, currency }:
      & Record<"hours" | "energy" | "value" | "limited", number>
      & { currency: string },
  ) =>
    `While the price was zero or negative (${formatCount(hours, "hour")}), production was ${
      formatFigures([energy], "MWh")
    }, worth ${formatFigures([value], currency)}${
      limited === 0 ? "" : `. The turbine was curtailed in ${formatNumber(limited)} of these hours`
    }.`,
  prices_unused: ({ by }: { by: Kind }) =>
    by === "month"
      ? "The value of monthly production is unknown, because the prices are for shorter periods. Give monthly prices."
      : "The value of annual production is unknown, because the prices are for shorter periods. Give one price for all years.",
  prices_missing: ({ hours, all, energy }: Record<"hours" | "all" | "energy", number>) =>
    `Prices are missing for ${formatNumber(hours)} of ${
      formatCount(all, "hour")
    }, so the value leaves out ${formatFigures([energy], "MWh")}. Give prices for these hours.`,
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
  ) => `Relative to the expected energy, ${formatRatios(periods)} far below the other ${by}s.`,
  normal_band: (
    { by, energy, band_low, band_middle, band_high, deviations, periods }:
      & Record<
        "energy" | "band_low" | "band_middle" | "band_high" | "deviations" | "periods",
        number
      >
      & { by: Kind },
  ) =>
    `For a ${by} with ${formatFigures([energy], "MWh")} expected, the normal band is ` +
    `${formatPercent(band_low)} to ${formatPercent(band_high)} of this energy, and its middle is ${
      formatPercent(band_middle)
    }. The band is the median of ${periods} ${by}s without outages, plus or minus ${deviations} robust ` +
    `standard deviations. It is wider for a ${by} with less expected energy.`,
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
      : ` to ${lowest === highest ? lowest : `levels from ${lowest} to ${highest}`} kW`;
    const often = spells === 1 ? "" : ` in ${spells} periods`;
    return `Curtailment cost ${formatLoss(energies)}. The power was limited${at} for ${
      formatCount(hours, "hour")
    }${often} from ${from} to ${to}${formatHoursOfDay(hours_of_day)}. ${LIMITED[source]}`;
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
    return `The turbine produced ${formatPercent(Math.abs(size))} ${
      isLoss ? "less" : "more"
    } than before ` +
      `(${interval([sign * size_low, sign * size_high], "%")}), relative to ${AGAINST[against]}. ` +
      `The change began on ${from} (90 % interval ${from_low} to ${from_high}). ` +
      `The ${isLoss ? "loss" : "gain"} is ${formatFigures([Math.abs(lost)], "MWh")} ` +
      `(${interval([-sign * lost_low, -sign * lost_high], "MWh")}).`;
  },
  smallest_change: ({ smallest, has_changes }: { smallest: number; has_changes: boolean }) =>
    `${
      has_changes ? "" : "The check found no lasting change. "
    }The smallest lasting change that this record can show is ` +
    `${formatPercent(smallest)}.`,
  too_short_for_changes: ({ needed, by }: { needed: number; by: "week" | Kind }) =>
    `The record is too short to find a lasting change. The search needs ${needed} ${by}s without outages.`,
  deviation: (
    { from, energy, produced, steps }: Steps & { from: string; energy: number; produced: number },
  ) =>
    `Steps from ${from.toLowerCase()} (${formatFigures([energy], "MWh")}) to actual production (${
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
    `The steps, with 90 % intervals if known, are ${
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
    `There is no normal band, because the band needs ${needed} ${by}s without outages and the record has ${periods}.`,
  unusual_ratio: ({ ratio }: { ratio: number }) =>
    `In normal operation, the turbine produces ${formatPercent(ratio)} of the prediction. The ` +
    "check scales losses by this ratio, and the unexplained step includes the deviation from 100 %.",
  too_few_hours: ({ periods }: { periods: readonly (Named & { completeness: number })[] }) =>
    `The check did not judge ${
      joinNames(
        periods.map(({ period, completeness }) =>
          `${formatPeriod(period)} (only ${formatShare(completeness)} % of its hours have values)`
        ),
        MAX_NAMED,
      )
    }.`,
  outage_without_values: (
    { outage, completeness, cells }: { outage: string; completeness: number; cells: string },
  ) =>
    `Only ${
      formatShare(completeness)
    } % of the ${cells} in the outage "${outage}" have values. The check ` +
    `counts no loss for the other ${cells}. If the turbine was stopped then, give 0 instead of missing values.`,
  interval_method: (
    { method, by, periods }: { method: "stretches" | "periods"; by: Kind; periods: number },
  ) =>
    "Lost energy is the prediction times the turbine's usual ratio of production to prediction, minus the energy produced. " +
    `Its 90 % interval ${
      method === "stretches"
        ? "comes from stretches of normal operation with the same length and similar wind"
        : `uses Student's t and treats the ${periods} ${by}s without outages as independent`
    }.`,
  no_interval: ({ cells }: { cells: string }) =>
    `Lost energy has no interval, because an interval needs at least two ${cells} without outages.`,

  outage_named_by_days: ({ outage, from, to }: { outage: string; from: string; to: string }) =>
    `You gave only dates for the outage "${outage}". The check counts it from ${from} to ${to}, because the turbine ran ` +
    "before and after. To change this, give the start and end times of the outage.",
  hours_missing: (
    { hours, longest, from }: { hours: number; longest: number; from: string },
  ) =>
    `${formatCount(hours, "hour is", "hours are")} missing from the production or the model data${
      longest < hours ? `, ${longest} of them in a row` : ""
    }, beginning at ${from}. The check counts no loss for missing hours, and reduces the normal energy in proportion.`,
  never_power: ({ highest, rated_power }: { highest: number; rated_power: number }) =>
    `The column "power" in the production data never exceeds ${
      highest.toPrecision(2)
    } kW, but the rated power is ${
      formatNumber(rated_power)
    } kW. Either the turbine was always stopped, or the unit is wrong.`,
  unit_in_doubt: ({ doubt }: { doubt: string }) => doubt,
  few_normal_hours: ({ hours }: { hours: number }) =>
    `Only ${hours} hours are free of outages, too few to compute the turbine's usual ratio of production to prediction. ` +
    "Losses use the unscaled prediction and have no interval. Give a longer record.",
  short_stops_unseen: ({ hours }: { hours: number }) =>
    `The production does not show stops shorter than ${hours} hours, so the unexplained step includes their cost. ` +
    'To separate it, give neighbours, or production with a column "availability".',
  period_in_two_outages: (
    { period, outage, other }: { period: string; outage: string; other: string },
  ) =>
    `The outages "${outage}" and "${other}" both include ${period}. The check counts the loss under "${outage}". ` +
    "Give hourly production to separate the two outages.",
  energies_of_part: ({ shares }: { shares: string }) =>
    `${shares}. The check compares each with the same share of its expected energy.`,
  all_in_outages: ({ by }: { by: Kind }) =>
    `Every ${by} has an outage, so losses use the unscaled prediction and have no ` +
    "interval. Give a longer record.",
  named_change: ({ placebo, neighbours, left_out }: NamedChange) =>
    `The check used daily values to measure the change on the date that you gave. On nine of ten dates without a known ` +
    `change, the same measurement gives less than ${formatNumber(placebo, 1)} %.` +
    (neighbours === null
      ? " Without neighbours, the check cannot tell a change from an error of the reanalysis. Give { neighbours }."
      : ` The neighbours changed by ${formatSigned(neighbours, 1)} % relative to the prediction.`) +
    (left_out > 0
      ? ` The measurement leaves out ${formatCount(left_out, "day")} on which no neighbour ran.`
      : ""),
  neighbours_too_short: ({ weeks, needed }: { weeks: number; needed: number }) =>
    `The search for changes did not use the neighbours, because it needs ${needed} weeks in common ` +
    `with them and there are only ${weeks}. Give their production for the whole record.`,

  rated_power_assumed: ({ rated_power }: { rated_power: number }) =>
    `The rated power is unknown, so the check uses the largest predicted power, ${
      formatNumber(rated_power)
    } kW. ` +
    "Give { details: await turbineDetails(id) }.",
  neighbours_unused: () => "To use the neighbours, give hourly production and hourly model data.",
  months_of_zone: ({ zone }: { zone: string }) =>
    `Months are in ${zone}. For months in the turbine's time zone, give ` +
    "{ details: await turbineDetails(id) }.",
  availability_unused: () =>
    "The check did not use the hourly availability, because the prediction is monthly. Give hourly model data.",
  other_prediction: ({ ratio }: { ratio: number }) =>
    `For the same months, the indices predict ${
      ratio.toFixed(1)
    } % of the energy in the model data. ` +
    "The wind step includes this difference. Give indices and model data of the same turbine and revision.",
  normal_of_model: ({ from, to }: { from: number; to: number }) =>
    `Normal production is the mean of the model data from ${from} to ${to}. To use the reference period of the ` +
    "indices, give { indices: await monthlyIndices(id) }.",
  normal_density: ({ months }: { months: number }) =>
    `Normal air density is the mean of the calendar month over at least ${months} years of the model ` +
    "data. The air density step of a month also includes the variation within the month.",
  density_unknown: (unknown: DensityUnknown) =>
    `Cannot separate wind and air density: ${explainDensity(unknown)}.`,
  stops_unseen: ({ by }: { by: Kind }) =>
    `${
      by === "month" ? "Monthly" : "Annual"
    } production shows only outages of a whole ${by}, and this record has none. The unexplained step therefore ` +
    'includes all stops. Give the outages, a column "availability", or both hourly production and hourly model data.',
  normal_unknown: () =>
    "Normal production is unknown, so the steps begin with the prediction, which includes wind and air density. " +
    "Give { indices: await monthlyIndices(id) }, or model data of five whole years.",
  steps_leave_out: ({ periods }: { periods: readonly string[] }) =>
    `The steps leave out ${
      joinNames(periods)
    }, because their normal production is unknown. Give indices ` +
    "for the same months of other years.",
  ...readingWords,
};

/** Findings of a performance check. */
export type PerformanceFinding = FindingOf<typeof words>;
