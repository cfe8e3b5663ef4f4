import type { DataFrame } from "nodejs-polars";
import { labelWithUnit, pickColumns } from "../../api/columns/column.ts";
import { coverageList } from "../../api/columns/columns.ts";
import { ArgumentError } from "../../api/errors.ts";
import { assembleChart, type Spec } from "../parts/assemble.ts";
import type { Chart } from "../drawing/chart.ts";
import {
  readNumberColumn,
  readOrigin,
  readTextColumn,
  requireColumns,
} from "../parts/read_columns.ts";
import { formatDistance, formatDistances } from "./degrees.ts";
import { computeDistance, type LonLat } from "./local_map.ts";
import { MapFrame } from "./map_frame.ts";
import { placeLabels } from "./map_labels.ts";
import {
  buildHaloText,
  buildLines,
  buildMapGround,
  buildOutlineLayers,
  buildScaleAndNorth,
  buildShapes,
  places,
} from "./map_layers.ts";
import { clipText } from "../parts/text.ts";
import { type PlotOptions, plotOptions } from "../parts/plot_options.ts";
import { choosePlotSize } from "../parts/size.ts";
import { palette } from "../drawing/theme.ts";
import { checkOptions, nameOptions } from "../../show/options/check_options.ts";

/** Coordinates and name of a turbine, such as `turbineDetails()` gives. */
export interface MapTurbine {
  /** Latitude, deg, positive north. */
  readonly latitude: number | null;
  /** Longitude, deg, positive east. */
  readonly longitude: number | null;
  /** Name. */
  readonly name?: string | null;
  /** Identifier, shown if there is no name. */
  readonly turbine_id?: string;
}

/** Options of {@linkcode plotCoverageMap}. */
export interface PlotCoverageMapOptions extends PlotOptions {
  /** The turbine at which the map is centred. */
  readonly turbine: MapTurbine;
}

const WHAT = "the coverage map";

/** What the projection keeps. */
const AZIMUTHAL = "Azimuthal equidistant around the turbine: distances from it are true";

/** Difference of distances above which the points must have been searched from another place, km. */
const MAX_DISTANCE_DIFFERENCE = 1;

/** Number of points up to which a line joins each to the turbine. */
const MAX_SPOKES = 16;

const [distanceColumn, updatedColumn, latitudeColumn, longitudeColumn, startColumn] = pickColumns(
  coverageList,
  ["distance_to_request_location", "last_updated", "latitude", "longitude", "start_year"],
);

/** A point with data. */
interface CoveragePoint {
  readonly place: LonLat;
  /** Distance from the turbine, km. */
  readonly km: number;
  /** Distance in the frame, from the place of the request, km. */
  readonly distanceInFrame: number | null;
  readonly start: string | null;
  readonly updated: string | null;
}

function isPlace(longitude: number | null, latitude: number | null): boolean {
  return longitude !== null && latitude !== null && Math.abs(latitude) <= 90 &&
    Math.abs(longitude) <= 360;
}

function readTurbinePlace({ latitude, longitude }: MapTurbine): LonLat {
  if (isPlace(longitude, latitude)) return [longitude!, latitude!];
  throw new ArgumentError(
    `Cannot plot ${WHAT}: the turbine has no coordinates: latitude ${latitude}, longitude ` +
      `${longitude}. Give both in deg, as turbineDetails() does`,
  );
}

function readCoveragePoints(frame: DataFrame, turbine: LonLat): (CoveragePoint | undefined)[] {
  const latitudes = readNumberColumn(frame, latitudeColumn.name, WHAT);
  const distances = readNumberColumn(frame, distanceColumn.name, WHAT);
  const starts = readTextColumn(frame, startColumn.name);
  const updates = readTextColumn(frame, updatedColumn.name);
  return readNumberColumn(frame, longitudeColumn.name, WHAT).map((longitude, i) => {
    if (!isPlace(longitude, latitudes[i])) return undefined;
    const place: LonLat = [longitude!, latitudes[i]!];
    const km = computeDistance(turbine, place);
    return { place, km, distanceInFrame: distances[i], start: starts[i], updated: updates[i] };
  });
}

function buildMarkLayer(values: readonly Spec[], names: readonly [string, string]): Spec {
  const channel = (range: readonly unknown[]) => ({
    field: "what",
    type: "nominal",
    scale: { domain: names, range },
    legend: { columns: 2 },
  });
  const figure = (field: string, title: string, format: string) => ({
    field,
    title,
    format,
    type: "quantitative",
  });
  return {
    data: { values },
    mark: { type: "point", filled: true, opacity: 1, size: 75, stroke: "white", strokeWidth: 1 },
    encoding: {
      ...places,
      color: channel([palette.vermilion, palette.blue]),
      shape: channel(["triangle-up", "circle"]),
      tooltip: [
        { field: "what", title: "What", type: "nominal" },
        figure("latitude", labelWithUnit(latitudeColumn), ".3f"),
        figure("longitude", labelWithUnit(longitudeColumn), ".3f"),
        figure("km", labelWithUnit(distanceColumn), ".1f"),
        { field: "start", title: startColumn.label, type: "nominal" },
        { field: "updated", title: updatedColumn.label, type: "nominal" },
      ],
    },
  };
}

const OPTIONS = nameOptions<PlotCoverageMapOptions>()("turbine!", plotOptions);

/**
 * Plots the points that `coverage()` found around a turbine, with their distances from it. North is up at the turbine,
 * and distances from it are true: the map is an azimuthal equidistant one, centred there.
 *
 * @param points Frame from `coverage()`
 * @param options The turbine (latitude and longitude in deg), title, source and size
 * @returns A chart that shows itself in notebooks
 * @throws {ArgumentError} If a column is missing, the turbine or every point has no coordinates, a point is further than
 * 3000 km away, or the map would reach a pole
 *
 * @example
 * ```ts
 * import { coverage, plotCoverageMap, turbineDetails } from "@vindkit/vindkit";
 * import { assertStringIncludes } from "@std/assert";
 *
 * const turbine = await turbineDetails("T1");
 * const { latitude, longitude } = turbine;
 * const near = await coverage("era5", {
 *   latitude: latitude!,
 *   longitude: longitude!,
 *   numPoints: 4,
 * });
 * assertStringIncludes(plotCoverageMap(near, { turbine }).altText, "4 points");
 * ```
 */
export function plotCoverageMap(points: DataFrame, options: PlotCoverageMapOptions): Chart {
  checkOptions("plotCoverageMap()", options, OPTIONS);
  const { turbine } = options;
  const { width, height } = choosePlotSize(options, (wide) => Math.round(wide * 0.7), WHAT);
  requireColumns(points, [latitudeColumn.name, longitudeColumn.name], WHAT, "coverage()");
  const centre = readTurbinePlace(turbine);
  const all = readCoveragePoints(points, centre);
  const known = all.filter((point) => point !== undefined).sort((a, b) => a.km - b.km);
  if (known.length === 0) {
    throw new ArgumentError(
      `Cannot plot ${WHAT}: none of the ${all.length} points has a latitude of -90 to 90 deg and a ` +
        `longitude. Give a frame from coverage()`,
    );
  }
  const frame = new MapFrame(centre, known.map(({ place }) => place), width, height, WHAT);
  const origin = readOrigin(points, options);
  const name = clipText(turbine.name || turbine.turbine_id || "the turbine", 40);
  const dataset = clipText(String(origin[0]?.parameters.service_id ?? ""), 40);
  const title = options.title ?? `Points ${dataset ? `of ${dataset} ` : ""}around ${name}`;
  const pixels = (place: LonLat) => frame.toPixels(frame.map.toPlane(place));
  const names = ["Turbine", "Point with data"] as const;
  const row = (what: string, place: LonLat, more: Spec) => {
    const [x, y] = pixels(place);
    return { what, x, y, longitude: place[0], latitude: place[1], ...more };
  };
  const labels = placeLabels(
    known.map(({ place, km }) => ({ at: pixels(place), label: formatDistance(km) })),
    [pixels(centre), ...frame.corners],
    { width, height, fontSize: 10 },
  );
  const outlines = buildOutlineLayers(frame);
  const spokes = known.length > MAX_SPOKES
    ? []
    : known.map(({ place }) => [pixels(centre), pixels(place)]);
  const [first, last] = [known[0], known[known.length - 1]];
  const count = `${known.length} ${known.length === 1 ? "point" : "points"}`;
  const span = known.length === 1
    ? `${formatDistance(first.km)} away`
    : `${formatDistances(first.km, last.km)} away`;
  const elsewhere = known.some(({ km, distanceInFrame }) =>
    distanceInFrame !== null && Math.abs(km - distanceInFrame) > MAX_DISTANCE_DIFFERENCE
  );
  const notes = [
    ...(known.length < all.length
      ? [`${all.length - known.length} of ${all.length} points without coordinates left out`]
      : []),
    ...(labels.length < known.length
      ? [`${known.length - labels.length} distances not written for lack of space`]
      : []),
    ...(elsewhere
      ? ["Distances are from the turbine; the points were searched from another place"]
      : []),
    ...outlines.notes,
  ];
  return assembleChart({
    title,
    subtitle: [`${count}, ${span}`],
    views: [{
      width,
      height,
      layer: [
        ...buildMapGround(frame, outlines.layers, origin),
        ...buildShapes(buildLines(spokes), {
          filled: false,
          stroke: palette.faint,
          strokeWidth: 1,
          strokeDash: [2, 3],
        }),
        buildMarkLayer([
          ...known.map(({ place, km, start, updated }) =>
            row(names[1], place, { km, start, updated })
          ),
          row(names[0], centre, { km: 0, start: null, updated: null }),
        ], names),
        ...buildHaloText(labels.map((label) => ({ ...label })), { align: "left", fontSize: 10 }),
        ...buildScaleAndNorth(frame),
      ],
    }],
    notes: [...notes, AZIMUTHAL, ...outlines.source],
    width,
    altText: `Map. ${[title, `${count}, ${span}`, ...notes].join(". ")}.`,
    origin,
    theme: options.theme,
  });
}
