import type { DataFrame } from "nodejs-polars";
import { type Column, labelWithUnit, pickColumns } from "../../api/columns/column.ts";
import { figures, month as monthColumn } from "../../api/columns/columns.ts";
import { turbineDetailsFrame } from "../../api/columns/turbine_columns.ts";
import { declareOptions, readOptions } from "../../show/options/read_options.ts";
import { formatCount, formatNumber } from "../../show/text/numbers.ts";
import type { Chart } from "../drawing/chart.ts";
import { drawChart, type PlotOptions, plotOptions } from "../grammar/chart.ts";
import {
  hasColumn,
  readMonthColumn,
  readNumberColumn,
  readTextColumn,
  refusePlot,
  requireColumns,
} from "../grammar/read.ts";
import { clipText, formatSpan } from "../grammar/text.ts";
import {
  chooseDegreeDecimals,
  computeDistance,
  formatDegrees,
  formatExtent,
  GridMap,
  type LonLat,
  toPlace,
  wrapLongitude,
} from "./local_map.ts";
import { MapFrame } from "./map_frame.ts";
import { placeLabels } from "./map_labels.ts";
import { buildMap, buildOutlineLayers, findOutlined } from "./map_layers.ts";
import { mean } from "../../stats/spread.ts";
import { diverging, palette } from "../drawing/theme.ts";
import {
  buildFigureField,
  buildKindColor,
  chooseFormat,
  type KindColor,
  mark,
  pixels,
  quantity,
  type Spec,
} from "../grammar/marks.ts";
import { listIndexBounds, NO_DATA } from "../grammar/rows.ts";
import { listGiven } from "../../show/text/lists.ts";

/** Distance below which turbines share a mark, pixels. */
const MARK_DISTANCE = 9;

/** Bounds of the classes around 100 %, 10 % apart. */
const BOUNDS = listIndexBounds(10);

const [idColumn, nameColumn, latitudeColumn, longitudeColumn] = pickColumns(
  turbineDetailsFrame,
  ["turbine_id", "name", "latitude", "longitude"],
);

/** A turbine of the map. */
interface FleetTurbine {
  readonly id: string;
  readonly name: string;
  readonly place: LonLat;
  readonly value: number | null;
}

/** Turbines that share a mark. */
interface Mark {
  readonly at: readonly [number, number];
  readonly members: readonly FleetTurbine[];
  /** Mean of their figures. */
  readonly value: number | null;
  /** Area, px2. */
  readonly size: number;
}

/** Groups turbines whose marks would overlap. */
function groupIntoMarks(
  turbines: readonly FleetTurbine[],
  frame: MapFrame,
  size: number,
): Mark[] {
  const marks: { at: readonly [number, number]; members: FleetTurbine[] }[] = [];
  for (const turbine of turbines) {
    const [x, y] = frame.toPixels(frame.map.toPlane(turbine.place));
    const near = marks.find(({ at }) => Math.hypot(at[0] - x, at[1] - y) < MARK_DISTANCE);
    if (near) near.members.push(turbine);
    else marks.push({ at: [x, y], members: [turbine] });
  }
  return marks.map((mark) => ({
    ...mark,
    value: computeMean(mark.members),
    size: size + 60 * Math.min(6, Math.log2(mark.members.length)),
  }));
}

function computeMean(members: readonly FleetTurbine[]): number | null {
  const known = members.flatMap(({ value }) => value ?? []);
  return known.length === 0 ? null : mean(known);
}

/** Labels of the marks with their figure: the name of a turbine without the prefix of all names, or the number of turbines. */
function labelMarks(marks: readonly Mark[], shared: string, unit: string | undefined) {
  return marks.map(({ at, members, value, size }) => {
    const name = members.length === 1
      ? clipText(members[0].name.slice(shared.length), 24)
      : `${members.length} turbines`;
    const text = value === null ? "" : `${formatNumber(value)} ${unit}`;
    const texts = text === "" ? [name] : [`${name}: ${text}`, name, text];
    return { at, texts, radius: Math.sqrt(size / Math.PI) + 1.5 };
  });
}

/** Finds the words with which all names begin, such as "Kelmarsh "; each name keeps at least one more. */
function findSharedBeginning(names: readonly string[]): string {
  const words = names[0].split(/(?<=[\s_-])/).slice(0, -1);
  const count = words.findIndex((_, i) => {
    const beginning = words.slice(0, i + 1).join("");
    return !names.every((name) => name.startsWith(beginning) && name !== beginning);
  });
  return words.slice(0, count === -1 ? words.length : count).join("");
}

/** Size of the mark of one turbine, px2: a figure is a triangle, and a link is larger, for a finger. */
const SIZES = { mark: 64, figure: 100, link: 180 };

/** Shapes of marks: they show the side of the figure without colour. */
const SHAPES: readonly KindColor[] = [
  ["Above 100 %", "triangle-up"],
  ["Below 100 %", "triangle-down"],
  [NO_DATA, "diamond"],
];

/**
 * Layers of the marks: their colour and shape show the mean figure of their turbines.
 *
 * @param link URL that the mark of some turbines links to
 */
function buildMarks(
  marks: readonly Mark[],
  figure: Column,
  coloured: boolean,
  link?: (turbines: readonly string[]) => string,
): Spec[] {
  const rows = marks.map(({ at: [x, y], members, value, size }): Spec => ({
    x,
    y,
    ...(link && { href: link(members.map(({ id }) => id)) }),
    size,
    value,
    turbines: members.slice(0, 6).map(({ name }) => name).join(", ") +
      (members.length > 6 ? " …" : ""),
    what: value === null ? NO_DATA : SHAPES[value >= 100 ? 0 : 1][0],
  }));
  const tooltip = [
    { field: "turbines", title: idColumn.label, type: "nominal" },
    buildFigureField(
      "value",
      labelWithUnit(figure),
      chooseFormat(figure.unit, marks.map(({ value }) => value)),
    ),
  ];
  const point = (data: readonly Spec[], look: Spec) =>
    data.length === 0 ? [] : [mark("point", {
      data,
      ...pixels,
      size: { field: "size", type: "quantitative", scale: null, legend: null },
      filled: true,
      opacity: 1,
      stroke: palette.black,
      strokeWidth: 1.25,
      tooltip: [tooltip[0]],
      ...(link && { href: { field: "href", type: "nominal" } }),
      ...look,
    })];
  if (!coloured) return point(rows, { color: palette.vermilion });
  const classes = { type: "threshold", domain: BOUNDS, range: diverging };
  const legend = {
    direction: "horizontal",
    title: labelWithUnit(figure),
    labelOverlap: false,
    titleLimit: 400,
  };
  const shapes = SHAPES.filter(([what]) => rows.some((row) => row.what === what));
  const shape = buildKindColor("what", shapes, {
    orient: "bottom",
    offset: 22, // below the labels of the degrees
    columns: 3,
    symbolFillColor: palette.missing,
    symbolStrokeColor: palette.black,
  });
  return [
    ...point(rows.filter(({ value }) => value !== null), {
      color: { ...quantity("value", classes), legend },
      shape,
      tooltip,
    }),
    ...point(rows.filter(({ value }) => value === null), { fill: palette.missing, shape }),
  ];
}

/** Options of {@linkcode plotFleetMap}. */
export interface PlotFleetMapOptions extends PlotOptions {
  /** Figure that the marks show, if the frame has it. @default {"month_abnormality_index"} */
  readonly figure?: "month_index" | "month_abnormality_index";
  /** URL that the mark of some turbines links to, by their ids, for a map in a page. @default none */
  readonly link?: (turbines: readonly string[]) => string;
}

const PLOT = "the map of the fleet";

/** Distance from the centre above which a local map is too distorted, km. */
const MAX_AROUND_DISTANCE = 2500;

/** Decimals of the coordinates of a single turbine, about a hundred metres. */
const SINGLE_DECIMALS = 3;

/** Shortest step of an outline, pixels: with all steps, a map of a continent is ten times larger and looks the same. */
const MIN_OUTLINE_STEP = 1;

/**
 * Widths to try for a map of one turbine, km: it takes the first with a coast or border in its middle, because a dot on
 * bare land shows no location.
 */
const SINGLE_WIDTHS = [120, 300, 600, 1200];

/** Middle part of the width that must contain it: at the edge it is only a scrap. */
const MIDDLE = 0.7;

function readTurbines(fleet: DataFrame, figure: Column): { all: number; placed: FleetTurbine[] } {
  const [ids, names] = [idColumn, nameColumn].map((column) => readTextColumn(fleet, column.name));
  const [latitudes, longitudes, values] = [latitudeColumn, longitudeColumn, figure]
    .map((column) => readNumberColumn(fleet, column.name, PLOT));
  const placed = latitudes.flatMap((latitude, i): FleetTurbine[] => {
    const place = toPlace(longitudes[i], latitude);
    if (!place) return [];
    const name = clipText(names[i] || ids[i] || "", 40);
    return [{ id: ids[i] ?? "", name, place, value: values[i] }];
  });
  // Shifts all longitudes to within 180 deg of the first.
  const from = placed[0]?.place[0] ?? 0;
  return {
    all: latitudes.length,
    placed: placed.map((one) => ({
      ...one,
      place: [from + wrapLongitude(one.place[0] - from), one.place[1]],
    })),
  };
}

/** Chooses the frame around the turbines, and the parallel with true scale if the scale is not true everywhere. */
function chooseFrame(
  turbines: readonly FleetTurbine[],
  width: number,
  height: number,
  minWidth: number | undefined,
) {
  const middle = (axis: 0 | 1) => {
    const values = turbines.map(({ place }) => place[axis]);
    return (Math.min(...values) + Math.max(...values)) / 2;
  };
  const centre: LonLat = [middle(0), middle(1)];
  const all = turbines.map(({ place }) => place);
  const wide = all.some((place) => computeDistance(centre, place) > MAX_AROUND_DISTANCE) ||
    Math.abs(centre[1]) > 70;
  const grid = wide ? new GridMap(centre) : undefined;
  return {
    frame: new MapFrame(centre, all, width, height, PLOT, { minWidth, projection: grid }),
    parallel: grid && `at ${formatDegrees(grid.trueLatitude, "NS", 0)}`,
  };
}

/** Chooses the frame; for one turbine, wide enough for a coast or a border. */
function chooseSurroundings(turbines: readonly FleetTurbine[], width: number, height: number) {
  const choose = (least?: number) => chooseFrame(turbines, width, height, least);
  if (turbines.length > 1) return choose();
  const middles = SINGLE_WIDTHS.map((least) => choose(MIDDLE * least).frame);
  return choose(SINGLE_WIDTHS[middles.indexOf(findOutlined(middles))]);
}

const OPTIONS = declareOptions<PlotFleetMapOptions>()("link", {
  figure: "month_abnormality_index",
}, plotOptions);

/**
 * Plots the positions of the turbines of a fleet, with a figure of a month if the frame has one: marks show it as colour,
 * shape and label. Turbines whose marks would overlap share one, with their number and their mean figure.
 *
 * @param fleet Frame of `turbine_id`, `latitude` and `longitude` (deg) from `turbineDetails()` for several
 * turbines; with `name` and a figure (%) if known
 * @param options Title, `figure`, `link` of the marks, source and size
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
  const chosen = readOptions("plotFleetMap()", options, OPTIONS);
  const [figure] = pickColumns(figures, [chosen.figure]);
  const needed = [idColumn.name, latitudeColumn.name, longitudeColumn.name];
  requireColumns(fleet, needed, PLOT, "turbineDetails()");
  const { all, placed } = readTurbines(fleet, figure);
  if (placed.length === 0) {
    refusePlot(
      PLOT,
      `no turbine (of ${all}) has a latitude of -90 to 90 deg and a ` +
        `longitude. Give both in deg, as turbineDetails() does`,
    );
  }
  const coloured = hasColumn(fleet, figure.name);
  const count = formatCount(placed.length, "turbine");
  const [south, north, west, east] = [1, 1, 0, 0].map((axis, i) =>
    (i % 2 === 0 ? Math.min : Math.max)(...placed.map(({ place }) => place[axis]))
  );
  const extent = Math.max(north - south, east - west);
  const formatRange = (from: number, to: number, sides: "NS" | "EW") => {
    const decimals = placed.length === 1
      ? SINGLE_DECIMALS
      : chooseDegreeDecimals(to - from || extent);
    const [first, last] = sides === "EW" ? [from, to].map(wrapLongitude) : [from, to];
    return formatExtent(first, last, sides, decimals);
  };
  const span = `${formatRange(south, north, "NS")}, ${formatRange(west, east, "EW")}`;
  const means = placed.flatMap(({ value }) => value ?? []);
  const range = means.length === 0 || !coloured
    ? ""
    : `. ${figure.label} ${
      [...new Set([Math.min(...means), Math.max(...means)].map((mean) => formatNumber(mean)))]
        .join(" to ")
    } ${figure.unit}`;
  return drawChart(
    PLOT,
    [fleet],
    chosen,
    (wide) => Math.round(wide * 0.6),
    ({ width, height, view }) => {
      const { frame, parallel } = chooseSurroundings(placed, width, height);
      const outlines = buildOutlineLayers(frame, MIN_OUTLINE_STEP);
      const marks = groupIntoMarks(
        placed,
        frame,
        SIZES[chosen.link ? "link" : coloured ? "figure" : "mark"],
      );
      const place = (shared: string) => {
        const points = labelMarks(marks, shared, figure.unit);
        const labels = placeLabels(points, frame.corners, { width, height, fontSize: 10 });
        const written = (most: number) =>
          labels.filter((label, i) => points[i].texts.slice(0, most).includes(label?.label ?? ""));
        return { labels, whole: written(1).length, named: written(2).length };
      };
      const first = place("");
      const shared = first.whole === marks.length
        ? ""
        : findSharedBeginning(placed.map(({ name }) => name));
      const { labels, named } = shared === "" ? first : place(shared);
      const notes = listGiven(
        placed.length < all &&
          `${all - placed.length} of ${formatCount(all, "turbine")} without coordinates left out`,
        marks.length < placed.length && "Turbines close to each other share a mark" +
            (coloured ? ", which shows the mean of their figures" : ""),
        named < marks.length &&
          `Not shown for lack of space: ${formatCount(marks.length - named, "name")}`,
        shared !== "" && `Names are written without "${shared.trimEnd()}"`,
        parallel && `Equal degrees: the scale is true ${parallel} and from south to north only`,
        ...outlines.notes,
      );
      return {
        title: [
          coloured ? figure.label : placed.length === 1 ? "Position" : "Positions",
          placed.length === 1 ? placed[0].name : count,
          coloured ? formatSpan(readMonthColumn(fleet, monthColumn.name, PLOT).sort()) : "",
        ],
        subtitle: [`${count}, ${span}`],
        views: [view(
          buildMap(
            frame,
            outlines.layers,
            buildMarks(marks, figure, coloured, chosen.link),
            labels.filter((label) => label !== undefined),
            parallel && ` ${parallel}`,
          ),
        )],
        notes: [...notes, ...outlines.source],
        alt: ["Map", [`${count}, ${span}${range}`, ...notes].join(". ")],
      };
    },
  );
}
