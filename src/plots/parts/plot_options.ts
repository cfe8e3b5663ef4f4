import type { DataFrame } from "nodejs-polars";
import { nameOptions, type OptionNames } from "../../show/options/check_options.ts";
import type { Theme } from "../drawing/recolor.ts";

/** Options of every plot. */
export interface PlotOptions {
  /** Title. @default the figure and the turbine */
  readonly title?: string;
  /** Frame from which the plotted one was made, where that lost its sources and declared columns. @default the plotted frame */
  readonly source?: DataFrame;
  /** Width of the plot area, pixels. @default {640} */
  readonly width?: number;
  /** Height of the plot area (of one turbine if there are several), pixels. @default depends on the plot */
  readonly height?: number;
  /** Colours: `"light"`, `"dark"`, or `"auto"`, which follows the notebook or page around the chart and is light in a PNG and on paper. @default {"auto"} */
  readonly theme?: Theme;
}

/** Names of the options of {@linkcode PlotOptions}, for the check of options. */
export const plotOptions: OptionNames<PlotOptions> = nameOptions<PlotOptions>()(
  "title source width height theme",
);

/** Default width of a plot area, pixels. */
export const PLOT_WIDTH = 640;
