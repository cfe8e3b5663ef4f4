import { chooseDecimals } from "../../show/text/numbers.ts";
import type { Spec } from "./assemble.ts";

/** Field and style of a line. */
interface Line {
  readonly field: string;
  /** Vega expression that is true for a value that needs a point, such as one between two gaps. */
  readonly alone: string;
  readonly color: string;
  readonly mark: Spec;
  /** Channels that add the line to a legend. @default no legend, only its colour */
  readonly named?: Spec;
}

/** A line with gaps, and points for values between gaps: a line of one value is invisible. */
export function buildLineWithGaps(
  x: Spec,
  y: Spec,
  { field, alone, color, mark, named }: Line,
): Spec[] {
  const vertical = { ...y, field };
  return [
    {
      mark: { type: "line", tooltip: null, ...mark, ...(named ? {} : { color }) },
      encoding: { x, y: vertical, ...named },
    },
    {
      transform: [{ filter: alone }],
      mark: { type: "point", color, filled: true, opacity: 1, size: 20, tooltip: null },
      encoding: { x, y: vertical },
    },
  ];
}

/** Channel that names a line in a legend of its own. */
export function buildLineLegend(name: string, color: string, legend: Spec = {}): Spec {
  return {
    datum: name,
    type: "nominal",
    scale: { range: [color] },
    legend: { symbolType: "stroke", ...legend },
  };
}

/** A rule across the plot at a level. */
export function buildLevelRule(level: number, color: string): Spec {
  return {
    data: { values: [{}] },
    mark: { type: "rule", color, strokeWidth: 1 },
    encoding: { y: { datum: level } },
  };
}

/** Format of the figures of a tooltip: the decimals of their unit, or two. */
export function chooseFormat(
  unit: string | undefined,
  values: Iterable<number | null | undefined>,
): string {
  const largest = Iterator.from(values).reduce(
    (most: number, value) => Math.max(most, Math.abs(value || 0)),
    0,
  );
  return `,.${chooseDecimals(unit, largest) ?? 2}f`;
}

/** A number in a tooltip. */
export function buildFigureField(field: string, title: string, format: string): Spec {
  return { field, title, format, type: "quantitative" };
}
