import { formatMonth } from "../../show/text/month.ts";
import {
  formatCount,
  formatFigures,
  formatNumber,
  formatPercent,
  formatShare,
  formatSigned,
} from "../../show/text/numbers.ts";
import { dayAt } from "../../time/zones.ts";
import { DEVIATIONS, MIN_PERIODS_FOR_BAND, type NormalBand, selectStableRatios } from "./band.ts";
import { RATIO_SEARCHES } from "./changes.ts";
import type { ChangeResult, CheckResult, LossInterval, PeriodResult } from "./check_result.ts";
import type { DeviationSteps } from "./deviation_steps.ts";
import { computeRatio, judgeState, sumSteps } from "./frames.ts";
import { combineIntervals } from "./lost_energy.ts";

const AGAINST = { prediction: "the prediction", neighbours: "the neighbours" } as const;

/** Formats an interval by its ends, nearest to zero first. */
function formatRange(ends: readonly number[], unit: string): string {
  return `90 % interval ${formatFigures(ends, unit)}`;
}

/** Formats hours of the day as spans: ", from 22:00 to 06:00"; "" for all of them. */
function formatHoursOfDay(hours: readonly number[]): string {
  if (hours.length === 24) return "";
  const isIn = (hour: number) => hours.includes((hour + 24) % 24);
  const clock = (hour: number) => `${String(hour % 24).padStart(2, "0")}:00`;
  const spans = hours.filter((hour) => !isIn(hour - 1)).map((from) => {
    let to = from;
    while (isIn(to)) to++;
    return `${clock(from)} to ${clock(to)}`;
  });
  return `, daily from ${spans.join(" and ")}`;
}

function describeLimit(change: ChangeResult, date: (instant: number) => string): string {
  const { from, to, level, hoursOfDay, lost } = change;
  return `Curtailed at a level: from ${date(from)} to ${date(to - 1)} the power does not exceed ` +
    `${formatNumber(level)} kW${formatHoursOfDay(hoursOfDay)}. That cost ${
      formatFigures([lost], "MWh")
    }.`;
}

function describeStep(change: ChangeResult, date: (instant: number) => string): string {
  const { kind, from, earliest, latest, size, low, high, against, lost, lostLow, lostHigh } =
    change;
  const sign = kind === "loss" ? -1 : 1;
  const ends = [low, high].map((end) => sign * 100 * end).sort((a, b) => a - b);
  const energies = [lostLow, lostHigh].map((end) => -sign * end).sort((a, b) => a - b);
  return `From ${date(from)} (90 % interval ${date(earliest)} to ${
    date(latest)
  }) the turbine gives ` +
    `${formatPercent(Math.abs(100 * size))} ${kind === "loss" ? "less" : "more"} than before ` +
    `(${formatRange(ends, "%")}), against ${AGAINST[against]}: ` +
    `${formatFigures([Math.abs(lost)], "MWh")} ${kind === "loss" ? "lost" : "gained"} since ` +
    `(${formatRange(energies, "MWh")}).`;
}

/** Describes lasting changes in sentences, and which the record could show. */
function describeChanges({ change, by, hourly, timeZone }: CheckResult): string[] {
  if (!change) return [];
  const date = (instant: number) => dayAt(instant, timeZone).toString();
  const { changes, smallest } = change;
  const sentences = changes.map((one) =>
    one.kind === "limit" ? describeLimit(one, date) : describeStep(one, date)
  );
  const steps = changes.some(({ kind }) => kind !== "limit");
  const kind = hourly ? "week" : by;
  return [
    ...sentences,
    Number.isFinite(smallest)
      ? `${
        steps ? "" : "No lasting change was found. "
      }This record could show a lasting change of ` +
        `${formatPercent(100 * smallest)} or more.`
      : `This record is too short to show a lasting change: it needs ${
        RATIO_SEARCHES[kind].minCount
      } ${kind}s outside of outages.`,
  ];
}

/** Largest number of periods and outages that a sentence names. */
const MAX_NAMED = 12;

/** Largest deviation of a running turbine from its prediction without a note. */
const USUAL = 0.03;

/** Formats a period: "May 2018" or "2018". */
function formatPeriod({ label }: PeriodResult): string {
  return label.length > 4 ? formatMonth(label) : label;
}

function formatList(items: readonly string[]): string {
  const more = items.length - MAX_NAMED;
  return items.slice(0, MAX_NAMED).join(", ") + (more > 0 ? ` and ${more} more` : "");
}

/** Describes the energies that were compared, and their ratio. */
function describeTotal(
  { periods, hourly, by }: CheckResult,
  basis: "predictions" | "production normals",
): string {
  const both = periods.filter((period) => Number.isFinite(computeRatio(period)));
  const sum = (value: (period: PeriodResult) => number) =>
    both.reduce((total, period) => total + value(period), 0);
  const [produced, predicted] = [sum((period) => period.produced), sum((p) => p.predicted)];
  const of = basis === "predictions" ? "predicted" : "normal by its own production";
  const hours = hourly
    ? `, in ${formatNumber(sum(({ compared }) => compared))} of ${
      formatNumber(sum((period) => period.hours))
    } hours`
    : "";
  return `Produced ${formatFigures([produced], "MWh")} of ${
    formatFigures([predicted], "MWh")
  } ${of}: ` +
    `${formatPercent(100 * produced / predicted)} over ${formatCount(both.length, by)}${hours}.`;
}

function describeBand({ periods, by }: CheckResult, band: NormalBand | null): string[] {
  const outside = (state: "low" | "high") =>
    periods.filter((period) => judgeState(period, band) === state)
      .map((period) => `${formatPeriod(period)} (${formatPercent(computeRatio(period))})`);
  const [low, high] = [outside("low"), outside("high")];
  if (!band) return low.length === 0 ? [] : [`Far below the other ${by}s: ${formatList(low)}.`];
  const judged = periods.filter((period) =>
    ["low", "high", "normal"].includes(
      judgeState(period, band) ?? "",
    )
  );
  const { middle, energy } = band;
  const [of, deviations, width] = energy === null ? ["", DEVIATIONS.own, ""] : [
    ` of ${formatFigures([energy], "MWh")} expected`,
    DEVIATIONS.model,
    "; wider where less is expected",
  ];
  return [
    `A normal ${by}${of} is between ${formatPercent(band.low)} and ${formatPercent(band.high)}, ` +
    `around ${formatPercent(middle)}: median and ${deviations} robust standard deviations of ` +
    `${band.periods} ${by}s, outside of outages${width}.`,
    low.length + high.length === 0
      ? `All of ${formatCount(judged.length, by)} are within the band.`
      : [
        ...(low.length > 0 ? [`Below the band: ${formatList(low)}`] : []),
        ...(high.length > 0 ? [`above it: ${formatList(high)}`] : []),
      ].join("; ").replace(/^a/, "A") + ".",
  ];
}

function describeDeviation(steps: DeviationSteps): string[] {
  if (steps.periods.length === 0) return [];
  const { names } = steps;
  const totals = sumSteps(steps);
  const changes = names.slice(1, -1).map((name, i) => {
    const energy = totals[i + 1];
    const share = 100 * energy / totals[0];
    return `${name.toLowerCase()} ${energy < 0 ? "" : "+"}${formatFigures([energy], "MWh")} (${
      formatSigned(share, 1)
    } %)`;
  });
  return [
    `From ${names[0].toLowerCase()} of ${formatFigures([totals[0]], "MWh")} to ${
      formatFigures([totals[totals.length - 1]], "MWh")
    } produced: ${changes.join(", ")}.`,
  ];
}

/** Formats a loss: "216 MWh (90 % interval 180 to 250 MWh)". */
function formatLoss({ lost, low, high }: LossInterval & { readonly lost: number }): string {
  const interval = Number.isFinite(low)
    ? ` (90 % interval ${formatFigures([low, high], "MWh")})`
    : " (without an interval)";
  return formatFigures([lost], "MWh") + interval;
}

function describeOutages({ outages }: CheckResult): string[] {
  const counted = outages.filter(({ lost }) => Number.isFinite(lost));
  if (counted.length === 0) return [];
  const total = counted.reduce((sum, { lost }) => sum + lost, 0);
  const named = counted.filter(({ source }) => source === "named");
  const shown = named.length > 0 ? named : counted.toSorted((a, b) => b.lost - a.lost).slice(0, 1);
  return [
    `${formatCount(counted.length, "outage")} cost ${
      formatLoss({ lost: total, ...combineIntervals(counted) })
    }.`,
    ...shown.slice(0, MAX_NAMED).map((outage) =>
      `${outage.name}${named.length > 0 || counted.length === 1 ? "" : ", the largest"}: ` +
      `lost ${formatLoss(outage)}.`
    ),
  ];
}

/** Writes the results of a check in sentences. */
export function writeSummary(
  checked: CheckResult,
  band: NormalBand | null,
  steps: DeviationSteps,
  basis: "predictions" | "production normals",
): string[] {
  return [
    ...(basis === "production normals"
      ? [
        `Basis: the production's own normals, the mean of the same ${checked.by} in the other years. ` +
        "The wind of the time is unknown.",
      ]
      : []),
    describeTotal(checked, basis),
    ...describeBand(checked, band),
    ...describeChanges(checked),
    ...describeDeviation(steps),
    ...describeOutages(checked),
  ];
}

/** Lists what was left out or assumed in a check. */
export function listNotes(
  checked: CheckResult,
  band: NormalBand | null,
  basis: "predictions" | "production normals",
): string[] {
  const { by, hourly, normalRatio, outages, periods } = checked;
  const notes: string[] = [];
  if (!band) {
    const count = selectStableRatios(checked).filter(Number.isFinite).length;
    notes.push(
      `No normal band: it needs ${MIN_PERIODS_FOR_BAND[by]} ${by}s outside of outages, and there ` +
        `${count === 1 ? "is" : "are"} ${count}.`,
    );
  }
  if (basis === "predictions" && Math.abs(normalRatio - 1) > USUAL) {
    notes.push(
      `Outside of outages the turbine makes ${
        formatPercent(100 * normalRatio)
      } of the prediction: losses ` +
        "are scaled by that, and the unexplained step includes it.",
    );
  }
  const incomplete = periods.filter((period) => judgeState(period, band) === "incomplete");
  if (incomplete.length > 0) {
    notes.push(
      `Not judged, with too few hours: ${
        formatList(
          incomplete.map((period) =>
            `${formatPeriod(period)} (${formatShare(period.completeness)} %)`
          ),
        )
      }.`,
    );
  }
  const partly = outages.filter(({ completeness, source }) =>
    completeness < 0.995 && source === "named"
  );
  for (const { name, completeness } of partly.slice(0, MAX_NAMED)) {
    notes.push(
      `Of "${name}" only ${formatShare(completeness)} % of the ${hourly ? "hours" : `${by}s`} ` +
        "have values: no loss is counted for the others. Where the turbine was stopped, give 0 instead of a " +
        "missing value.",
    );
  }
  const measured = outages.filter(({ low }) => Number.isFinite(low));
  if (measured.length > 0) {
    notes.push(
      `Lost energy is the expected energy, scaled by the turbine's own ratio, less the produced one; ` +
        `its 90 % interval comes from ${checked.method}.`,
    );
  } else if (outages.some(({ lost }) => Number.isFinite(lost))) {
    notes.push(
      `Lost energy has no interval: that needs at least two ${
        hourly ? "stretches" : `${by}s`
      } outside of outages.`,
    );
  }
  return notes;
}
