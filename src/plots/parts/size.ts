import { ArgumentError } from "../../api/errors.ts";
import { PLOT_WIDTH, type PlotOptions } from "./plot_options.ts";

/** Minimum and maximum of width and height, pixels: smaller plots cannot be read, larger ones not be drawn. */
const BOUNDS = { width: [60, 4000], height: [10, 8000] } as const;

function checkSide(side: keyof typeof BOUNDS, pixels: number, what: string): number {
  const [least, most] = BOUNDS[side];
  if (pixels >= least && pixels <= most) return pixels;
  throw new ArgumentError(
    `Cannot plot ${what} with a ${side} of ${pixels} pixels: give ${least} to ${most}`,
  );
}

/**
 * Width and height of a plot area: those of the options, or the defaults of the plot.
 *
 * @throws {ArgumentError} If one is out of bounds or not a number
 */
export function choosePlotSize(
  options: PlotOptions,
  height: number | ((width: number) => number),
  what: string,
  width: number = PLOT_WIDTH,
): { readonly width: number; readonly height: number } {
  const wide = checkSide("width", options.width ?? width, what);
  const defaultHeight = typeof height === "number" ? height : height(wide);
  return { width: wide, height: checkSide("height", options.height ?? defaultHeight, what) };
}
