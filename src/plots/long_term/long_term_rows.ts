import type { DataFrame } from "nodejs-polars";
import { ArgumentError } from "../../api/errors.ts";
import { chooseDecimals, formatNumber } from "../../show/text/numbers.ts";
import type { Spec } from "../parts/assemble.ts";
import { readNumberColumn, readTextColumn, requireColumns } from "../parts/read_columns.ts";
import { cleanText } from "../parts/text.ts";

/** Columns of an estimate, as `estimateLongTerm()` names them. */
const NEEDED = ["method", "p50", "low", "high"] as const;

/** Methods that fit one picture. */
const MAX_ROWS = 12;

/** Names of the strokes in the legend. */
export const STROKES = {
  interval: "Normal year, 90 % interval",
  ten: "Ten years, mean",
  one: "One year",
} as const;

/** Levels of the points. */
const LEVELS = ["P50", "P75", "P90"] as const;

/** Vertical offsets of the strokes of a method from its middle, in rows. */
const OFFSETS = { interval: -0.2, ten: 0.12, one: 0.38 } as const;

/** One method of the picture. */
export interface MethodRow {
  readonly method: string;
  readonly p50: number;
  readonly low: number;
  readonly high: number;
  readonly months: number | null;
}

/** Strokes and points of the picture. */
export interface LongTermMarks {
  readonly methods: readonly MethodRow[];
  /** From one energy to another, each at its height. */
  readonly strokes: readonly Spec[];
  readonly points: readonly Spec[];
  readonly energies: readonly number[];
  /** Whether some method has a P75 or P90. */
  readonly exceeded: boolean;
}

/** Formats an energy without its unit. */
export function formatEnergy(energy: number): string {
  return formatNumber(energy, chooseDecimals("MWh", Math.abs(energy)));
}

/**
 * The estimates of a frame as strokes and points.
 *
 * @throws {ArgumentError} If a column or value is missing, or there are too many rows
 */
export function readLongTermMarks(frame: DataFrame, what: string): LongTermMarks {
  requireColumns(frame, NEEDED, what, "estimateLongTerm()");
  const names = readTextColumn(frame, "method");
  const column = (name: string) => readNumberColumn(frame, name, what);
  const [p50, low, high, months] = ["p50", "low", "high", "months"].map(column);
  if (names.length > MAX_ROWS) {
    throw new ArgumentError(
      `Cannot plot ${what}: the frame has ${names.length} rows. Keep ${MAX_ROWS} or fewer`,
    );
  }
  const methods = names.map((name, i): MethodRow => {
    const method = cleanText(name ?? "").trim();
    const [middle, lower, upper] = [p50[i], low[i], high[i]];
    if (method === "" || middle === null || lower === null || upper === null) {
      throw new ArgumentError(
        `Cannot plot ${what}: row ${
          i + 1
        } of the frame has no method, "p50", "low" or "high". Give all of them in every row`,
      );
    }
    if (lower > middle || middle > upper) {
      throw new ArgumentError(
        `Cannot plot ${what}: in row ${
          i + 1
        } "p50" is ${middle}, outside of ${lower} to ${upper}. ` +
          `Check "low" and "high"`,
      );
    }
    return { method, p50: middle, low: lower, high: upper, months: months[i] };
  });
  const levels = ([["ten", 10], ["one", 1]] as const).flatMap(([kind, years]) =>
    LEVELS.slice(1).map((level) => ({
      kind,
      level,
      values: column(`${level.toLowerCase()}_${years}`),
    }))
  );
  const exceeded = levels.some(({ values }) => values.some((value) => value !== null));
  const heights = exceeded ? OFFSETS : { ...OFFSETS, interval: 0 };
  const points = methods.flatMap(({ method, p50 }, i): Spec[] => {
    const point = (kind: keyof typeof OFFSETS, level: string, energy: number) => ({
      method,
      level,
      what: STROKES[kind],
      energy,
      figure: formatEnergy(energy),
      label: level === "P50" ? formatEnergy(energy) : `${level} ${formatEnergy(energy)}`,
      share: `${formatNumber(100 * energy / p50, 1)} %`,
      y: i + heights[kind],
    });
    return [
      point("interval", "P50", p50),
      ...levels.flatMap(({ kind, level, values }) => {
        const energy = values[i];
        return energy === null ? [] : [point(kind, level, energy)];
      }),
    ];
  });
  const strokes = methods.flatMap(({ low, high, p50 }, i): Spec[] => [
    { what: STROKES.interval, from: low, to: high, y: i + heights.interval },
    ...(["ten", "one"] as const).flatMap((kind) => {
      const own = levels.filter((level) => level.kind === kind).flatMap(({ values }) =>
        values[i] ?? []
      );
      const y = i + heights[kind];
      return own.length === 0 ? [] : [{ what: STROKES[kind], from: Math.min(...own), to: p50, y }];
    }),
  ]);
  const energies = [
    ...points.map(({ energy }) => energy as number),
    ...methods.flatMap(({ low, high }) => [low, high]),
  ];
  return { methods, strokes, points, energies, exceeded };
}
