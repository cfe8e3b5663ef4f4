import { ArgumentError } from "../../api/errors.ts";
import { PLOT_WIDTH, type PlotOptions } from "./plot_options.ts";

/** Least and most width and height that a plot can be read at and a machine can draw, pixels. */
const BOUNDS = { width: [60, 4000], height: [10, 8000] } as const;

function checkSide(side: keyof typeof BOUNDS, pixels: number, what: string): number {
  const [least, most] = BOUNDS[side];
  if (pixels >= least && pixels <= most) return pixels;
  throw new ArgumentError(
    `Cannot plot ${what} with a ${side} of ${pixels} pixels: give ${least} to ${most}`,
  );
}

/**
 * Width and height of a plot area: those asked for, or those that suit the plot.
 *
 * @throws {ArgumentError} If one is out of bounds, or no number
 */
export function choosePlotSize(
  options: PlotOptions,
  height: number | ((width: number) => number),
  what: string,
  width: number = PLOT_WIDTH,
): { readonly width: number; readonly height: number } {
  const wide = checkSide("width", options.width ?? width, what);
  const suited = typeof height === "number" ? height : height(wide);
  return { width: wide, height: checkSide("height", options.height ?? suited, what) };
}
