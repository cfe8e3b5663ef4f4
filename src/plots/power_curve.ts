import type { DataFrame } from "nodejs-polars";
import { labelWithUnit, pickColumns } from "../api/columns/column.ts";
import { modelDataCsv } from "../api/columns/columns.ts";
import { ArgumentError } from "../api/errors.ts";
import type { TurbineDetails } from "../api/resources/resources.ts";
import { formatNumber } from "../show/text/numbers.ts";
import { assembleChart, type Spec } from "./parts/assemble.ts";
import type { Chart } from "./drawing/chart.ts";
import { readNumberColumn, requireColumns } from "./parts/read_columns.ts";
import { buildVerticalAxis, buildWatermark } from "./parts/marks.ts";
import { joinOrigins } from "../frames/provenance.ts";
import { type PlotOptions, plotOptions } from "./parts/plot_options.ts";
import { choosePlotSize } from "./parts/size.ts";
import { clipText } from "./parts/text.ts";
import { fontSize, palette } from "./drawing/theme.ts";
import { checkOptions, nameOptions } from "../show/options/check_options.ts";
import { describeValue } from "../api/error_text.ts";
import { formatTitle } from "./parts/subject.ts";
import { formatStampSpan } from "./parts/values.ts";
import { buildFigureField, chooseFormat } from "./parts/lines.ts";

/** Options of {@linkcode plotPowerCurve}. */
export interface PlotPowerCurveOptions extends PlotOptions {
  /** Measured or modelled hours to draw behind the curve: a frame with `wind_speed` (m/s) and `power` (kW). @default none */
  readonly points?: DataFrame;
}

const WHAT = "the power curve";

/** Points drawn: more make the file larger and the picture no clearer. */
const MAX_POINTS = 3000;

/** How a turbine limits its power, in words. */
const CONTROLS = new Map([["pcStall", "Stall"], ["pcPitch", "Pitch"]]);

const [speedColumn, powerColumn] = pickColumns(modelDataCsv, ["wind_speed", "power"]);

interface Point extends Spec {
  wind_speed: number;
  power: number;
}

function readPoints(frame: DataFrame): Point[] {
  requireColumns(frame, [speedColumn.name, powerColumn.name], WHAT, "modelData()");
  const powers = readNumberColumn(frame, powerColumn.name, WHAT);
  return readNumberColumn(frame, speedColumn.name, WHAT).flatMap((wind_speed, i) => {
    const power = powers[i];
    return wind_speed === null || power === null ? [] : [{ wind_speed, power }];
  });
}

/** Every n-th point, so that the file stays small; the same points each time. */
function thinPoints(points: readonly Point[]): Point[] {
  const step = Math.ceil(points.length / MAX_POINTS);
  return points.filter((_, i) => i % step === 0);
}

function buildAxes(height: number): Spec {
  return {
    x: {
      field: "wind_speed",
      type: "quantitative",
      scale: { zero: true, nice: true },
      axis: { title: labelWithUnit(speedColumn), grid: true, tickCount: 10 },
    },
    y: {
      field: "power",
      type: "quantitative",
      axis: { ...buildVerticalAxis(labelWithUnit(powerColumn), height), format: ",~f" },
    },
  };
}

function buildTooltip(points: readonly Point[]): Spec[] {
  const powers = points.map(({ power }) => power);
  return [
    buildFigureField("wind_speed", labelWithUnit(speedColumn), chooseFormat(speedColumn.unit, [])),
    buildFigureField("power", labelWithUnit(powerColumn), chooseFormat(powerColumn.unit, powers)),
  ];
}

function buildSeriesChannel(name: string, color: string, symbolType: string): Spec {
  const legend = { symbolOpacity: 1, symbolType };
  return { datum: name, type: "nominal", scale: { range: [color] }, legend };
}

/** The curve, and its drop to zero above the last point. */
function buildCurveLayers(curve: readonly Point[], encoding: Spec, alone: boolean): Spec[] {
  const last = curve[curve.length - 1];
  const fall = last.power > 0
    ? [{
      data: { values: [last, { ...last, power: 0 }] },
      mark: { type: "line", color: palette.blue, strokeDash: [4, 3], strokeWidth: 1.5 },
      encoding,
    }]
    : [];
  return [...fall, {
    mark: {
      type: "line",
      color: palette.blue,
      strokeWidth: 2.25,
      point: { color: palette.blue, filled: true, size: 22 },
    },
    encoding: {
      ...encoding,
      ...(alone ? {} : { stroke: buildSeriesChannel("Power curve", palette.blue, "stroke") }),
      tooltip: buildTooltip(curve),
    },
  }];
}

function buildRatedLayers(rated: number | null, first: number, highest: number): Spec[] {
  if (rated === null) return [];
  const y = { datum: rated };
  const data = { values: [{}] };
  return [
    { data, mark: { type: "rule", color: palette.faint, strokeDash: [2, 3] }, encoding: { y } },
    {
      data,
      mark: {
        type: "text",
        align: "left",
        // Below the line, as the legend is above it; above it if the axis is below.
        baseline: rated > highest / 2 ? "top" : "bottom",
        color: palette.faint,
        dx: 4,
        dy: rated > highest / 2 ? 4 : -4,
        fontSize: fontSize.axis,
        text: `Rated power ${formatNumber(rated)} ${powerColumn.unit}`,
      },
      encoding: { x: { datum: Math.min(0, first) }, y },
    },
  ];
}

const OPTIONS = nameOptions<PlotPowerCurveOptions>()("points", plotOptions);

/**
 * Plots the power curve of a turbine, with hours of wind speed and power behind it if there are any.
 *
 * @param details Details as `turbineDetails()` gives them
 * @param options Points, title, source and size
 * @returns A chart that shows itself in notebooks
 * @throws {ArgumentError} If the details have no curve, or the points lack a column
 */
export function plotPowerCurve(
  details: TurbineDetails,
  options: PlotPowerCurveOptions = {},
): Chart {
  checkOptions("plotPowerCurve()", options, OPTIONS);
  if (typeof details?.turbine_id !== "string") {
    throw new ArgumentError(
      `Cannot plot the power curve: details of one turbine are needed, as turbineDetails() makes ` +
        `them; this is ${describeValue(details)}`,
    );
  }
  const name = clipText(details.name || details.turbine_id);
  const curve = (details.power_curve?.power ?? []).toSorted((a, b) => a.wind_speed - b.wind_speed);
  if (curve.length === 0) {
    throw new ArgumentError(
      `Cannot plot the power curve of "${name}": its details have no curve. ` +
        "Plot a turbine whose details have one",
    );
  }
  const { points } = options;
  const { width, height } = choosePlotSize(options, 300, WHAT);
  const origin = joinOrigins([options.source, points, details]);
  const measured = points ? readPoints(points) : [];
  const left = (points?.height ?? 0) - measured.length;
  const drawn = thinPoints(measured);
  const encoding = buildAxes(height);
  const rated = details.rated_power;
  const control = CONTROLS.get(details.power_curve?.power_control ?? "");
  const values = curve.map(({ wind_speed, power }): Point => ({ wind_speed, power }));
  const highest = [...values, ...drawn].reduce((most, { power }) => Math.max(most, power), 0);
  const layer = [
    ...buildWatermark(origin, width, height),
    ...buildRatedLayers(rated, values[0].wind_speed, highest),
    ...(drawn.length === 0 ? [] : [{
      data: { values: drawn },
      mark: { type: "circle", opacity: 0.35, size: 9 },
      encoding: {
        ...encoding,
        color: buildSeriesChannel("Hours", palette.vermilion, "circle"),
        tooltip: buildTooltip(drawn),
      },
    }]),
    ...buildCurveLayers(values, encoding, drawn.length === 0),
  ];
  const title = options.title ??
    formatTitle("Power curve", name, points ? formatStampSpan(points) : "");
  const span = `${formatNumber(values[0].wind_speed, 1)} to ` +
    `${formatNumber(values[values.length - 1].wind_speed, 1)} ${speedColumn.unit}`;
  return assembleChart({
    title,
    subtitle: [
      `${control ? `${control}-controlled; p` : "P"}ower at an air density of 1.225 kg/m3`,
    ],
    views: [{ data: { values }, width, height, layer }],
    notes: [
      ...(drawn.length < measured.length
        ? [
          `${formatNumber(drawn.length)} of ${
            formatNumber(measured.length)
          } hours drawn, evenly chosen`,
        ]
        : []),
      ...(left > 0
        ? [
          `${formatNumber(left)} ${
            left === 1 ? "hour" : "hours"
          } without a wind speed or a power left out`,
        ]
        : []),
    ],
    width,
    altText: `Line chart. ${title}. From ${span}, ` +
      `at most ${
        formatNumber(Math.max(...values.map((point) => point.power)))
      } ${powerColumn.unit}` +
      (measured.length > 0
        ? `, with ${formatNumber(measured.length)} hours behind the curve`
        : "") +
      ".",
    origin,
    theme: options.theme,
  });
}
