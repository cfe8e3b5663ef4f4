import { dayAt } from "../../time/zones.ts";
import { formatFigures, formatNumber, formatPercent } from "../../show/text/numbers.ts";
import type { ChangeResult, CheckResult } from "./check_result.ts";
import { RATIO_SEARCHES } from "./lasting_changes.ts";

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
export function describeChanges({ change, by, hourly, timeZone }: CheckResult): string[] {
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
