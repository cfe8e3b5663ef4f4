import type { DataFrame } from "nodejs-polars";
import { labelWithUnit, pickColumns } from "../../api/columns/column.ts";
import { modelDataCsv } from "../../api/columns/columns.ts";
import { describeValue } from "../../api/error_text.ts";
import { ArgumentError } from "../../api/errors.ts";
import type { TurbineDetails } from "../../api/resources/resources.ts";
import { declareOptions, readOptions } from "../../show/options/read_options.ts";
import { formatCount, formatNumber } from "../../show/text/numbers.ts";
import type { Chart } from "../drawing/chart.ts";
import { fontSize, palette } from "../drawing/theme.ts";
import { drawChart, type PlotOptions, plotOptions } from "../grammar/chart.ts";
import {
  buildFigureField,
  buildLineLegend,
  buildVerticalAxis,
  chooseFormat,
  fixedMark,
  mark,
  PLAIN,
  quantity,
  type Spec,
} from "../grammar/marks.ts";
import { formatStampSpan, readNumberColumn, requireColumns } from "../grammar/read.ts";
import { clipText } from "../grammar/text.ts";
import { listGiven } from "../../show/text/lists.ts";

/** Options of {@linkcode plotPowerCurve}. */
export interface PlotPowerCurveOptions extends PlotOptions {
  /** Measured or modelled hours to draw behind the curve: a frame with `wind_speed` (m/s) and `power` (kW). @default none */
  readonly points?: DataFrame;
}

const PLOT = "the power curve";

/** Most points drawn: more enlarge the file without a clearer picture. */
const MAX_POINTS = 3000;

/** Methods of power control, in words. */
const CONTROLS = new Map([["pcStall", "Stall"], ["pcPitch", "Pitch"]]);

const [speedColumn, powerColumn] = pickColumns(modelDataCsv, ["wind_speed", "power"]);

interface Point {
  wind_speed: number;
  power: number;
}

function readPoints(frame: DataFrame): Point[] {
  requireColumns(frame, [speedColumn.name, powerColumn.name], PLOT, "modelData()");
  const powers = readNumberColumn(frame, powerColumn.name, PLOT);
  return readNumberColumn(frame, speedColumn.name, PLOT).flatMap((wind_speed, i) => {
    const power = powers[i];
    return wind_speed === null || power === null ? [] : [{ wind_speed, power }];
  });
}

/** Keeps every n-th point, so the file stays small and each run draws the same points. */
function thinPoints(points: readonly Point[]): Point[] {
  const step = Math.ceil(points.length / MAX_POINTS);
  return points.filter((_, i) => i % step === 0);
}

function buildAxes(height: number): { readonly x: Spec; readonly y: Spec } {
  const axis = { title: labelWithUnit(speedColumn), grid: true, tickCount: 10 };
  return {
    x: quantity("wind_speed", { zero: true, nice: true }, axis),
    y: quantity(
      "power",
      undefined,
      buildVerticalAxis(labelWithUnit(powerColumn), height, PLAIN),
    ),
  };
}

function buildTooltip(points: readonly Point[]): Spec[] {
  const powers = points.map(({ power }) => power);
  return [
    buildFigureField("wind_speed", labelWithUnit(speedColumn), chooseFormat(speedColumn.unit, [])),
    buildFigureField("power", labelWithUnit(powerColumn), chooseFormat(powerColumn.unit, powers)),
  ];
}

/** The curve, and its drop to zero above the last point. */
function buildCurve(curve: readonly Point[], axes: Spec, alone: boolean): Spec[] {
  const last = curve[curve.length - 1];
  return listGiven(
    last.power > 0 && mark("line", {
      data: [last, { ...last, power: 0 }],
      ...axes,
      color: palette.blue,
      strokeDash: [4, 3],
      strokeWidth: 1.5,
    }),
    mark("line", {
      ...axes,
      color: palette.blue,
      ...(!alone && { stroke: buildLineLegend("Power curve", palette.blue, OPAQUE) }),
      strokeWidth: 2.25,
      point: { color: palette.blue, filled: true, size: 22 },
      tooltip: buildTooltip(curve),
    }),
  );
}

const OPAQUE = { symbolOpacity: 1 };

/** A line at the rated power, with its figure. */
function buildRated(rated: number, first: number, highest: number): Spec[] {
  const y = { datum: rated };
  // Below the line, because the legend is above it; above it if the axis is below.
  const below = rated > highest / 2;
  return [
    fixedMark("rule", { y, color: palette.faint, strokeDash: [2, 3] }),
    fixedMark("text", {
      x: { datum: Math.min(0, first) },
      y,
      align: "left",
      baseline: below ? "top" : "bottom",
      color: palette.faint,
      dx: 4,
      dy: below ? 4 : -4,
      fontSize: fontSize.axis,
      text: `Rated power ${formatNumber(rated)} ${powerColumn.unit}`,
    }),
  ];
}

const OPTIONS = declareOptions<PlotPowerCurveOptions>()("points", {}, plotOptions);

/**
 * Plots the power curve of a turbine, optionally with hours of wind speed and power behind it.
 *
 * @param details Details from `turbineDetails()`
 * @param options Points, title, source and size
 * @returns A chart that shows itself in notebooks
 * @throws {ArgumentError} If the details have no curve, or the points lack a column
 */
export function plotPowerCurve(
  details: TurbineDetails,
  options: PlotPowerCurveOptions = {},
): Chart {
  const chosen = readOptions("plotPowerCurve()", options, OPTIONS);
  if (typeof details?.turbine_id !== "string") {
    throw new ArgumentError(
      `Cannot plot the power curve: this is ${
        describeValue(details)
      }, not the details of a turbine. ` +
        "Give the answer of turbineDetails()",
    );
  }
  const name = clipText(details.name || details.turbine_id);
  const curve = (details.power_curve?.power ?? []).toSorted((a, b) => a.wind_speed - b.wind_speed);
  if (curve.length === 0) {
    throw new ArgumentError(
      `Cannot plot the power curve of "${name}": its details have no curve. ` +
        "Plot a turbine whose details have a curve",
    );
  }
  const { points } = chosen;
  const measured = points ? readPoints(points) : [];
  const excluded = (points?.height ?? 0) - measured.length;
  const drawn = thinPoints(measured);
  const control = CONTROLS.get(details.power_curve?.power_control ?? "");
  const values = curve.map(({ wind_speed, power }): Point => ({ wind_speed, power }));
  const highest = [...values, ...drawn].reduce((most, { power }) => Math.max(most, power), 0);
  const span = `${formatNumber(values[0].wind_speed, 1)} to ` +
    `${formatNumber(values[values.length - 1].wind_speed, 1)} ${speedColumn.unit}`;
  return drawChart(PLOT, [points, details], chosen, 300, ({ height, view }) => {
    const axes = buildAxes(height);
    const rated = details.rated_power;
    return {
      title: ["Power curve", name, points ? formatStampSpan(points) : ""],
      subtitle: [
        `${control ? `${control}-controlled; p` : "P"}ower at an air density of 1.225 kg/m3`,
      ],
      views: [view(
        listGiven(
          ...(rated === null ? [] : buildRated(rated, values[0].wind_speed, highest)),
          drawn.length !== 0 && mark("circle", {
            data: drawn,
            ...axes,
            color: buildLineLegend("Hours", palette.vermilion, {
              ...OPAQUE,
              symbolType: "circle",
            }),
            opacity: 0.35,
            size: 9,
            tooltip: buildTooltip(drawn),
          }),
          ...buildCurve(values, axes, drawn.length === 0),
        ),
        { data: { values } },
      )],
      notes: listGiven(
        drawn.length < measured.length &&
          `${formatNumber(drawn.length)} of ${formatNumber(measured.length)} hours drawn, ` +
            "evenly chosen",
        excluded > 0 && `Left out: ${formatCount(excluded, "hour")} without wind speed or power`,
      ),
      alt: [
        "Line chart",
        `From ${span}, at most ${
          formatNumber(Math.max(...values.map(({ power }) => power)))
        } ${powerColumn.unit}` +
        (measured.length > 0
          ? `, with ${formatNumber(measured.length)} hours behind the curve`
          : ""),
      ],
    };
  });
}
