import type { DataFrame } from "nodejs-polars";
import type { OptionNames } from "../../api/check_options.ts";

/** Options of every plot. */
export interface PlotOptions {
  /** Title. @default what is shown, and of which turbine */
  readonly title?: string;
  /** Frame whose provenance and declared columns count when the plotted frame was derived from it. @default the plotted frame */
  readonly source?: DataFrame;
  /** Width of the plot area, pixels. @default {640} */
  readonly width?: number;
  /** Height of the plot area (of one turbine, where there are several), pixels. @default what suits the plot */
  readonly height?: number;
}

/** The options of {@linkcode PlotOptions}. */
export const plotOptions: OptionNames<PlotOptions> = {
  title: "optional",
  source: "optional",
  width: "optional",
  height: "optional",
};

/** Width of a plot area, pixels. */
export const PLOT_WIDTH = 640;
