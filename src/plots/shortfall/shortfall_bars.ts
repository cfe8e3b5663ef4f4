import type { DataFrame } from "nodejs-polars";
import { ArgumentError } from "../../api/errors.ts";
import { chooseDecimals, formatNumber, formatSigned } from "../../show/text/numbers.ts";
import type { Spec } from "../parts/assemble.ts";
import { readNumberColumn, readTextColumn, requireColumns } from "../parts/read_columns.ts";
import { cleanText } from "../parts/text.ts";

const STEP = "step";

/** Column of the energies, and of the ends of their intervals. */
export const ENERGY = "energy";
const ENDS = { low: "energy_low", high: "energy_high" } as const;

/** Difference up to which sums are equal, relative to the sum of their parts: rounding errors. */
const ROUNDING = 1e-9;

/** If the lowest level is above this share of the highest, the axis does not begin at zero. */
const CUT_FROM = 0.6;

/** Decimals of an energy: the sixth is a watt hour of a MWh. */
const MAX_DECIMALS = 6;

/** Kinds of bars, as the legend calls them. */
export const KINDS = { total: "Total", loss: "Loss", gain: "Gain" } as const;

/** A step as a bar of the waterfall. */
export interface Bar extends Spec {
  position: string;
  step: string;
  energy: number;
  /** Level before and after the step, MWh. */
  from: number;
  to: number;
  /** Level after the step at both ends of its interval, MWh; `null` without one. */
  low: number | null;
  high: number | null;
  /** The interval in words; empty without one. */
  interval: string;
  kind: string;
  figure: string;
  share: string;
}

/** A step and its energy, in the unit of the frame. */
interface ShortfallStep {
  readonly step: string;
  readonly energy: number;
  /** Ends of its 90 % interval; `null` without one. */
  readonly low: number | null;
  readonly high: number | null;
}

/**
 * The steps of a frame.
 *
 * @throws {ArgumentError} If a column, a name or an energy is missing, or there are fewer than three
 */
export function readSteps(frame: DataFrame, what: string): ShortfallStep[] {
  requireColumns(frame, [STEP, ENERGY], what, "an analysis of a shortfall");
  const [energies, low, high] = [ENERGY, ENDS.low, ENDS.high]
    .map((name) => readNumberColumn(frame, name, what));
  const parts = readTextColumn(frame, STEP).map((name, i): ShortfallStep => {
    const step = cleanText((name ?? "").trim());
    const energy = energies[i];
    if (step.trim() === "" || energy === null) {
      throw new ArgumentError(
        `Cannot plot ${what}: row ${i + 1} of the frame has no ${
          step.trim() === "" ? "name" : `energy (step "${step}")`
        }. Give every row a step and an energy`,
      );
    }
    return { step, energy, low: low[i], high: high[i] };
  });
  if (parts.length < 3) {
    throw new ArgumentError(
      `Cannot plot ${what}: the frame has ${parts.length} rows. ` +
        "Give the expected energy first, then what changed it, and the actual energy last",
    );
  }
  return parts;
}

/**
 * Checks that the first energy and the changes add up to the last one.
 *
 * @throws {ArgumentError} If they do not
 */
export function assertSum(parts: readonly ShortfallStep[], unit: string, what: string): void {
  const last = parts[parts.length - 1];
  const sum = parts.slice(0, -1).reduce((total, part) => total + part.energy, 0);
  const size = parts.reduce((total, part) => total + Math.abs(part.energy), 0);
  if (Math.abs(last.energy - sum) <= ROUNDING * size) return;
  throw new ArgumentError(
    `Cannot plot ${what}: "${parts[0].step}" and the changes add up to ${sum} ${unit}, ` +
      `"${last.step}" is ${last.energy} ${unit}, a difference of ${last.energy - sum} ${unit}. ` +
      "Give the changes unrounded, and the unexplained rest as one of them",
  );
}

/** Decimals that suit the size of the energies, or more if the smallest change would be written as zero. */
function chooseStepDecimals(parts: readonly ShortfallStep[]): number {
  const sizes = parts.map(({ energy }) => Math.abs(energy)).filter((size) => size > 0);
  const most = Math.max(0, ...sizes);
  const suited = chooseDecimals("MWh", most) ?? 0;
  const needed = sizes.length === 0 ? 0 : Math.ceil(-Math.log10(Math.min(...sizes)));
  return Math.min(MAX_DECIMALS, Math.max(suited, needed));
}

/** The bars: totals from zero, each change from the end of the one before. */
export function buildBars(parts: readonly ShortfallStep[]): Bar[] {
  const expected = parts[0].energy;
  const decimals = chooseStepDecimals(parts);
  let level = 0;
  return parts.map(({ step, energy, low, high }, i): Bar => {
    const total = i === 0 || i === parts.length - 1;
    const from = total ? 0 : level;
    const ends = low === null || high === null ? null : { low, high };
    level = total ? energy : level + energy;
    const share = 100 * energy / expected;
    return {
      position: String(i),
      step,
      energy,
      from,
      to: level,
      low: ends && from + ends.low,
      high: ends && from + ends.high,
      interval: ends
        ? `${formatSigned(ends.low, decimals)} to ${formatSigned(ends.high, decimals)}`
        : "",
      kind: total ? KINDS.total : energy < 0 ? KINDS.loss : KINDS.gain,
      figure: total ? formatNumber(energy, decimals) : formatSigned(energy, decimals),
      share: !Number.isFinite(share) || i === 0
        ? ""
        : `${total ? formatNumber(share, 1) : formatSigned(share, 1)} %`,
    };
  });
}

/** Start of the axis: zero, or below all changes if these would hardly be visible. */
export function chooseFloor(bars: readonly Bar[]): number {
  const levels = bars.flatMap((bar) => [bar.to, bar.low ?? bar.to, bar.high ?? bar.to]);
  const [low, high] = [Math.min(...levels), Math.max(...levels)];
  if (low <= CUT_FROM * high || low === high) return Math.min(0, low);
  const step = 10 ** Math.floor(Math.log10(high - low));
  return Math.max(
    0,
    Number((Math.floor((low - 0.35 * (high - low)) / step) * step).toPrecision(12)),
  );
}
