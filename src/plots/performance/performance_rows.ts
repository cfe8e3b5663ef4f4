import type { DataFrame } from "nodejs-polars";
import { pickColumns } from "../../api/columns/column.ts";
import { monthlyIndicesFrame } from "../../api/columns/columns.ts";
import { formatNumber, formatShare } from "../../show/text/numbers.ts";
import type { Spec } from "../parts/assemble.ts";
import { readNumberColumn, readTextColumn } from "../parts/read_columns.ts";
import type { Period } from "../parts/periods.ts";
import { palette } from "../drawing/theme.ts";

/** Column of produced over expected energy, %. */
export const RATIO = "ratio";

/** How the states of a comparison are drawn: distinguished by shape as well as by colour. */
export const STATES: Readonly<
  Record<string, readonly [label: string, color: string, shape: string]>
> = {
  normal: ["Normal", palette.faint, "circle"],
  low: ["Below normal", palette.vermilion, "triangle-down"],
  high: ["Above normal", palette.blue, "triangle-up"],
  incomplete: ["Too few hours", palette.text, "cross"],
  unknown: ["Not assessed", palette.faint, "diamond"],
};

/** Column of the completeness. */
export const [completenessColumn] = pickColumns(monthlyIndicesFrame, ["completeness"]);

/** A period of the picture. */
export interface PerformanceRow extends Spec {
  period: string;
  label: string;
  ratio: number | null;
  /** Lower end of the band, %. */
  low: number | null;
  /** Upper end of the band, %. */
  high: number | null;
  /** Ratio of the stable state that it belongs to, %; `null` where nothing changed. */
  stable: number | null;
  produced: number | null;
  predicted: number | null;
  /** Share of the hours, %, rounded down. */
  completeness: number | null;
  state: string;
}

/** Reads the periods of a comparison; those without a row have no ratio. */
export function readPerformanceRows(
  frame: DataFrame,
  periods: readonly Period[],
  what: string,
): PerformanceRow[] {
  const [ratio, low, high, stable, produced, predicted, completeness] = [
    RATIO,
    "band_low",
    "band_high",
    "stable_ratio",
    "produced",
    "predicted",
    completenessColumn.name,
  ].map((name) => readNumberColumn(frame, name, what));
  const states = readTextColumn(frame, "state");
  return periods.map(({ period, label, at }): PerformanceRow => {
    const pick = (values: readonly (number | null)[]) => at === undefined ? null : values[at];
    const share = pick(completeness);
    const state = at === undefined ? "" : states[at] ?? "";
    return {
      period,
      label,
      ratio: pick(ratio),
      low: pick(low),
      high: pick(high),
      stable: pick(stable),
      produced: pick(produced),
      predicted: pick(predicted),
      completeness: share === null ? null : Number(formatShare(share)),
      state: (Object.hasOwn(STATES, state) ? STATES[state] : STATES.unknown)[0],
    };
  });
}

/** The band of the middle period. */
export interface Band {
  /** Lower end, %. */
  readonly low: number;
  /** Upper end, %. */
  readonly high: number;
  /** Whether it is that of all periods. */
  readonly constant: boolean;
}

/** Finds the band of median width; `null` if no period has one. */
export function findMiddleBand(rows: readonly PerformanceRow[]): Band | null {
  const bands = rows.flatMap(({ low, high }) =>
    low === null || high === null ? [] : [{ low, high }]
  )
    .sort((a, b) => a.high - a.low - (b.high - b.low));
  if (bands.length === 0) return null;
  const [first, last] = [bands[0], bands[bands.length - 1]];
  return {
    ...bands[Math.floor(bands.length / 2)],
    constant: first.low === last.low && first.high === last.high,
  };
}

/** Formats a band: "Normal: 88.0 to 112.0 %", or "about" where it differs by period. */
export function formatBand({ low, high, constant }: Band): string {
  const ends = `${formatNumber(low, 1)} to ${formatNumber(high, 1)} %`;
  return `Normal: ${constant ? "" : "about "}${ends}`;
}

/** Formats the band and the periods outside of it, naming at most `most` on each side. */
export function formatSummary(
  rows: readonly PerformanceRow[],
  band: Band | null,
  most: number,
): string {
  const known = rows.filter((row) => row.ratio !== null);
  if (known.length === 0) return "Nothing to compare";
  const ownBands = band !== null && !band.constant;
  const listPeriods = (state: string, words: string) => {
    const own = known.filter((row) => row.state === state);
    if (own.length === 0) return [];
    const list = own.slice(0, most).map(({ label, ratio, low, high }) => {
      const end = state === STATES.low[0] ? low : high;
      // By its own band, which may be another one than that of the middle.
      const limit = ownBands && end !== null
        ? ` (normal ${state === STATES.low[0] ? "from" : "to"} ${formatNumber(end, 1)} %)`
        : "";
      return `${label} ${formatNumber(ratio!, 1)} %${limit}`;
    });
    const more = own.length - most;
    return [`${words} ${list.join(", ")}${more > 0 ? ` and ${more} more` : ""}`];
  };
  const outside = [...listPeriods(STATES.low[0], "below"), ...listPeriods(STATES.high[0], "above")];
  const normal = band
    ? formatBand(band).replace(":", " is") + (ownBands ? ", each period by its own band" : "")
    : "No normal band: too few periods";
  const none = band ? ["no period is outside"] : [];
  return [normal, ...listChanges(rows), ...(outside.length > 0 ? outside : none)].join("; ");
}

/** Lists the changes from one stable state to the next: "from 101 to 90 % in October 2021". */
function listChanges(rows: readonly PerformanceRow[]): string[] {
  let before: number | null = null;
  return rows.flatMap(({ stable, label }, i) => {
    const last = before;
    if (stable !== null) before = stable;
    if (stable === null || last === null || stable === last) return [];
    // The period of a change is in neither state.
    const when = rows[i - 1].stable === null ? rows[i - 1].label : label;
    return [`from ${formatNumber(last)} to ${formatNumber(stable)} % in ${when}`];
  });
}
