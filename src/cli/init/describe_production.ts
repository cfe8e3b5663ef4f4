import { type DataFrame, pl } from "../../../mod.ts";
import { visibleText } from "../../api/error_text.ts";
import { formatGrid } from "../../show/text/plain_text.ts";

/** Time in minutes of the steps of frames, for gaps. */
const STEP_NAMES: Readonly<Record<number, string>> = { 10: "ten minutes", 60: "hours" };

/** Rows that a preview shows. */
const FIRST_ROWS = 3;

/** Turbines that are described; of more only their number. */
const MAX_TURBINES = 12;

/** Formats a number in at most four digits. */
const format = (value: number) => String(Number(value.toPrecision(4)));

function formatGap(minutes: number): string {
  return minutes < 120
    ? `${minutes} min`
    : minutes < 2880
    ? `${format(minutes / 60)} h`
    : `${format(minutes / 1440)} days`;
}

/** Describes rows of one turbine in order of time: span, step, how many have a value, the longest gap. */
function describeTurbine(frame: DataFrame, name: string): string {
  const [time, value] = name === "" ? frame.columns : frame.columns.slice(1);
  const unit = value === "power" ? "kW" : "MWh";
  const labels = formatTimes(frame, time);
  const all = frame.getColumn(value).toArray() as (number | null)[];
  const numbers = all.filter((one) => one !== null);
  const { length: valid } = numbers;
  if (valid === 0) return `${name}no row has a value`;
  const mean = numbers.reduce((sum, one) => sum + one, 0) / valid;
  let [lowest, highest] = [Infinity, -Infinity];
  for (const one of numbers) [lowest, highest] = [Math.min(lowest, one), Math.max(highest, one)];
  const values = `mean ${format(mean)} ${unit}, ${format(lowest)} to ${format(highest)} ${unit}`;
  const span = `${labels[0]} to ${labels.at(-1)}`;
  if (time !== "time") {
    return `${name}${span}: ${valid} of ${all.length} ${time}s have energy, ${values}`;
  }
  const stamps = frame.getColumn("time").toArray().map((stamp) => Number(stamp));
  const minutes = stamps.slice(1).reduce(
    (least, stamp, i) => Math.min(least, (stamp - stamps[i]) / 60_000),
    Infinity,
  );
  if (minutes === Infinity) return `${name}${labels[0]}: one row, with ${values}`;
  const expected = Math.round((stamps[stamps.length - 1] - stamps[0]) / 60_000 / minutes) + 1;
  let [gap, at, last] = [0, 0, stamps[0] - minutes * 60_000];
  for (let i = 0; i < stamps.length; i++) {
    if (all[i] === null) continue;
    const missing = (stamps[i] - last) / 60_000 - minutes;
    if (missing > gap) [gap, at] = [missing, i];
    last = stamps[i];
  }
  const longest = gap > 0 ? `; longest gap ${formatGap(gap)}, until ${labels[at]}` : "";
  const step = STEP_NAMES[minutes] ?? `steps of ${format(minutes)} min`;
  return `${name}${span}: ${valid} of ${expected} ${step} have power, ${values}${longest}`;
}

/** Times of a frame as its zone shows them. */
function formatTimes(frame: DataFrame, time: string): string[] {
  if (time === "year") return (frame.getColumn(time).toArray() as number[]).map(String);
  const pattern = time === "month" ? "%Y-%m" : "%Y-%m-%d %H:%M";
  return frame.select(pl.col(time).dt.strftime(pattern)).getColumn(time).toArray() as string[];
}

/**
 * Describes production as it was read: its first rows, and each of the first turbines in a line.
 *
 * @param frame A frame of `readProduction()`
 */
export function describeProduction(frame: DataFrame): string[] {
  const several = frame.columns[0] === "turbine_id";
  const [time, value] = several ? frame.columns.slice(1) : frame.columns;
  const zone = /\(\w+,(.+)\)\)/.exec(String(frame.getColumn(time).dtype))?.[1];
  const first = frame.head(FIRST_ROWS);
  const ids = several ? frame.getColumn("turbine_id").unique(true).toArray() as string[] : [];
  const labels = formatTimes(first, time);
  const values = first.getColumn(value).toArray() as (number | null)[];
  const head = [
    ...several ? ["turbine"] : [],
    zone ? `start (${zone})` : time,
    value === "power" ? "power (kW)" : "energy (MWh)",
  ];
  const rows = labels.map((label, i) => [
    ...several ? [visibleText(String(ids[0]))] : [],
    label,
    values[i] === null ? "missing" : format(values[i]),
  ]);
  return [
    ...formatGrid([head, ...rows]).split("\n"),
    ...several
      ? ids.slice(0, MAX_TURBINES).map((id) =>
        describeTurbine(frame.filter(pl.col("turbine_id").eq(pl.lit(id))), `${visibleText(id)}, `)
      )
      : [describeTurbine(frame, "")],
    ...ids.length > MAX_TURBINES ? [`and ${ids.length - MAX_TURBINES} more turbines`] : [],
  ];
}
