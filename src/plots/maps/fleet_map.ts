import type { DataFrame } from "nodejs-polars";
import { type Column, labelWithUnit, pickColumns } from "../../api/columns/column.ts";
import { figures } from "../../api/columns/columns.ts";
import { ArgumentError } from "../../api/errors.ts";
import { turbineDetailsFrame } from "../../api/columns/turbine_columns.ts";
import { formatNumber } from "../../show/text/number.ts";
import { assembleChart, type Spec } from "../parts/assemble.ts";
import type { Chart } from "../drawing/chart.ts";
import {
  readNumberColumn,
  readOrigin,
  readTextColumn,
  requireColumns,
} from "../parts/read_columns.ts";
import { computeDistance, GridMap, type LonLat, wrapLongitude } from "./local_map.ts";
import { MapFrame } from "./map_frame.ts";
import { placeLabels } from "./map_labels.ts";
import {
  buildHaloText,
  buildMapGround,
  buildOutlineLayers,
  buildScaleAndNorth,
  places,
} from "./map_layers.ts";
import { NO_DATA } from "../parts/month_state.ts";
import { OUTLINES_SOURCE } from "./outlines.ts";
import { clipText } from "../parts/text.ts";
import { type PlotOptions, plotOptions } from "../parts/plot_options.ts";
import { choosePlotSize } from "../parts/size.ts";
import { diverging, palette } from "../drawing/theme.ts";
import { checkOptions, type OptionNames } from "../../api/check_options.ts";

/** Options of {@linkcode plotFleetMap}. */
export interface PlotFleetMapOptions extends PlotOptions {
  /** Figure that the colours show, if the frame has it. @default {"month_abnormality_index"} */
  readonly figure?: "month_index" | "month_abnormality_index";
  /** Minimum width of the map, km, so that a single turbine has its surroundings. @default {120} */
  readonly minWidth?: number;
}

const WHAT = "the map of the fleet";

/** Distance from the centre above which a map around it is too distorted, km. */
const MAX_AROUND_DISTANCE = 2500;

/** Shortest step of an outline, pixels: with all steps, a map of a continent is ten times as large and shows no more. */
const MIN_OUTLINE_STEP = 1;

/** Distance below which turbines share a mark, pixels. */
const MARK_DISTANCE = 16;

/** Bounds of the classes around 100 %, 10 % apart. */
const BOUNDS = diverging.slice(1).map((_, i) => 100 + 10 * (i - (diverging.length - 2) / 2));

const [idColumn, nameColumn, latitudeColumn, longitudeColumn] = pickColumns(
  turbineDetailsFrame,
  ["turbine_id", "name", "latitude", "longitude"],
);

interface FleetTurbine {
  readonly name: string;
  readonly place: LonLat;
  readonly value: number | null;
}

/** Turbines that share a mark. */
interface Mark {
  readonly at: readonly [number, number];
  readonly members: readonly FleetTurbine[];
}

function readTurbines(fleet: DataFrame, figure: Column): { all: number; known: FleetTurbine[] } {
  const [ids, names] = [idColumn, nameColumn].map((column) => readTextColumn(fleet, column.name));
  const [latitudes, longitudes, values] = [latitudeColumn, longitudeColumn, figure]
    .map((column) => readNumberColumn(fleet, column.name, WHAT));
  const known = latitudes.flatMap((latitude, i): FleetTurbine[] => {
    const longitude = longitudes[i];
    if (latitude === null || longitude === null) return [];
    if (Math.abs(latitude) > 90 || Math.abs(longitude) > 360) return [];
    const name = clipText(names[i] || ids[i] || "", 40);
    return [{ name, place: [longitude, latitude], value: values[i] }];
  });
  // Brings all longitudes to within 180 deg of the first.
  const from = known[0]?.place[0] ?? 0;
  return {
    all: latitudes.length,
    known: known.map((one) => ({
      ...one,
      place: [from + wrapLongitude(one.place[0] - from), one.place[1]],
    })),
  };
}

function chooseFrame(
  turbines: readonly FleetTurbine[],
  width: number,
  height: number,
  minWidth: number,
): { frame: MapFrame; grid: boolean } {
  const middle = (axis: 0 | 1) => {
    const values = turbines.map(({ place }) => place[axis]);
    return (Math.min(...values) + Math.max(...values)) / 2;
  };
  const centre: LonLat = [middle(0), middle(1)];
  const all = turbines.map(({ place }) => place);
  const grid = all.some((place) => computeDistance(centre, place) > MAX_AROUND_DISTANCE) ||
    Math.abs(centre[1]) > 70;
  const options = grid ? { minWidth, projection: new GridMap(centre) } : { minWidth };
  return { frame: new MapFrame(centre, all, width, height, WHAT, options), grid };
}

function groupIntoMarks(turbines: readonly FleetTurbine[], frame: MapFrame): Mark[] {
  const marks: { at: readonly [number, number]; members: FleetTurbine[] }[] = [];
  for (const turbine of turbines) {
    const [x, y] = frame.toPixels(frame.map.toPlane(turbine.place));
    const near = marks.find(({ at }) => Math.hypot(at[0] - x, at[1] - y) < MARK_DISTANCE);
    if (near) near.members.push(turbine);
    else marks.push({ at: [x, y], members: [turbine] });
  }
  return marks;
}

function computeMean(members: readonly FleetTurbine[]): number | null {
  const known = members.flatMap(({ value }) => value ?? []);
  return known.length === 0 ? null : known.reduce((sum, value) => sum + value, 0) / known.length;
}

function formatLabel(members: readonly FleetTurbine[]): string {
  return members.length === 1 ? clipText(members[0].name, 24) : `${members.length} turbines`;
}

function buildMarkLayers(marks: readonly Mark[], figure: Column, coloured: boolean): Spec[] {
  const rows = marks.map(({ at: [x, y], members }): Spec => ({
    x,
    y,
    size: 80 + 60 * Math.min(6, Math.log2(members.length)),
    value: computeMean(members),
    turbines: members.slice(0, 6).map(({ name }) => name).join(", ") +
      (members.length > 6 ? " …" : ""),
    what: NO_DATA,
  }));
  const tooltip = [
    { field: "turbines", title: idColumn.label, type: "nominal" },
    { field: "value", title: labelWithUnit(figure), format: ".1f", type: "quantitative" },
  ];
  const size = { field: "size", type: "quantitative", scale: null, legend: null };
  const point = { type: "point", filled: true, opacity: 1, stroke: palette.black, strokeWidth: 1 };
  if (!coloured) {
    return [{
      data: { values: rows },
      mark: { ...point, color: palette.vermilion },
      encoding: { ...places, size, tooltip: [tooltip[0]] },
    }];
  }
  const [known, unknown] = [(row: Spec) => row.value !== null, (row: Spec) => row.value === null]
    .map((wanted) => rows.filter(wanted));
  const colours = { type: "threshold", domain: BOUNDS, range: diverging };
  const legend = {
    direction: "horizontal",
    title: labelWithUnit(figure),
    labelOverlap: false,
    titleLimit: 400,
  };
  return [
    ...(known.length === 0 ? [] : [{
      data: { values: known },
      mark: point,
      encoding: {
        ...places,
        size,
        tooltip,
        color: { field: "value", type: "quantitative", scale: colours, legend },
      },
    }]),
    ...(unknown.length === 0 ? [] : [{
      data: { values: unknown },
      mark: { ...point, fill: palette.missing },
      encoding: {
        ...places,
        size,
        tooltip: [tooltip[0]],
        shape: {
          field: "what",
          type: "nominal",
          scale: { domain: [NO_DATA], range: ["diamond"] },
          legend: { symbolFillColor: palette.missing, symbolStrokeColor: palette.black },
        },
      },
    }]),
  ];
}

const OPTIONS: OptionNames<PlotFleetMapOptions> = {
  figure: "optional",
  minWidth: "optional",
  ...plotOptions,
};

/**
 * Plots the positions of the turbines of a fleet, coloured by a figure of a month if the frame has one. Turbines whose
 * marks would overlap share one, with their number and the mean of their figures.
 *
 * @param fleet Frame of `turbine_id`, `latitude` and `longitude` (deg) from `turbineDetails()` for several
 * turbines; with `name` and a figure (%) if known
 * @param options Title, figure, smallest width in km, source and size
 * @returns A chart that shows itself in notebooks
 * @throws {ArgumentError} If a column is missing, or no turbine has coordinates
 *
 * @example The positions of three turbines
 * ```ts
 * import { plotFleetMap, turbineDetails } from "@vindkit/vindkit";
 * import { assertStringIncludes } from "@std/assert";
 *
 * const chart = plotFleetMap(await turbineDetails(["T1", "T2", "T3"]));
 * assertStringIncludes(chart.altText, "3 turbines");
 * ```
 */
export function plotFleetMap(fleet: DataFrame, options: PlotFleetMapOptions = {}): Chart {
  checkOptions("plotFleetMap()", options, OPTIONS);
  const { width, height } = choosePlotSize(options, (wide) => Math.round(wide * 0.6), WHAT);
  const { minWidth = 120 } = options;
  const [figure] = pickColumns(figures, [options.figure ?? "month_abnormality_index"]);
  const needed = [idColumn.name, latitudeColumn.name, longitudeColumn.name];
  requireColumns(fleet, needed, WHAT, "turbineDetails()");
  const { all, known } = readTurbines(fleet, figure);
  if (known.length === 0) {
    throw new ArgumentError(
      `Cannot plot ${WHAT}: none of the ${all} turbines has a latitude of -90 to 90 deg and a ` +
        `longitude. Give both in deg, as turbineDetails() does`,
    );
  }
  const { frame, grid } = chooseFrame(known, width, height, minWidth);
  const marks = groupIntoMarks(known, frame);
  const coloured = Reflect.ownKeys(fleet).includes(figure.name);
  const labels = placeLabels(
    marks.map(({ at, members }) => ({ at, label: formatLabel(members) })),
    [[18, height - 18], [40, height - 18], [width - 16, 20], [width - 16, 36]],
    { width, height, fontSize: 10 },
  );
  const origin = readOrigin(fleet, options);
  const { layers, empty } = buildOutlineLayers(frame, MIN_OUTLINE_STEP);
  const count = `${known.length} ${known.length === 1 ? "turbine" : "turbines"}`;
  const [south, north, west, east] = [1, 1, 0, 0].map((axis, i) =>
    (i % 2 === 0 ? Math.min : Math.max)(...known.map(({ place }) => place[axis]))
  );
  const degrees = (value: number, sides: string) =>
    `${formatNumber(Math.abs(value), 1)}° ${sides[value < 0 ? 1 : 0]}`;
  const [lon, lat] = known[0].place;
  const span = known.length === 1
    ? `${degrees(lat, "NS")}, ${degrees(wrapLongitude(lon), "EW")}`
    : `from ${degrees(south, "NS")} to ${degrees(north, "NS")} and from ` +
      `${degrees(wrapLongitude(west), "EW")} to ${degrees(wrapLongitude(east), "EW")}`;
  const title = options.title ?? "Positions of the turbines";
  const notes = [
    ...(known.length < all
      ? [`${all - known.length} of ${all} turbines without coordinates left out`]
      : []),
    ...(marks.length < known.length
      ? [
        "Turbines close to each other share a mark" +
        (coloured ? ", coloured by the mean of their figures" : ""),
      ]
      : []),
    ...(labels.length < marks.length
      ? [`${marks.length - labels.length} names not written for lack of space`]
      : []),
    ...(grid ? ["Equal degrees: distances and areas are not true"] : []),
    ...(empty ? [empty] : []),
  ];
  const means = marks.flatMap(({ members }) => members.flatMap(({ value }) => value ?? []));
  const range = means.length === 0 || !coloured
    ? ""
    : `. ${figure.label} from ${formatNumber(Math.min(...means))} to ` +
      `${formatNumber(Math.max(...means))} ${figure.unit}`;
  return assembleChart({
    title,
    subtitle: [`${count}, ${span}`],
    views: [{
      width,
      height,
      layer: [
        ...buildMapGround(frame, layers, origin),
        ...buildMarkLayers(marks, figure, coloured),
        ...buildHaloText(labels.map((label) => ({ ...label })), { align: "left", fontSize: 10 }),
        ...(grid ? [] : buildScaleAndNorth(frame)),
      ],
    }],
    notes: [...notes, OUTLINES_SOURCE],
    width,
    altText: `Map. ${[title, `${count}, ${span}${range}`, ...notes].join(". ")}.`,
    origin,
    theme: options.theme,
  });
}
