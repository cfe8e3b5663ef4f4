import type { DataFrame } from "nodejs-polars";
import { labelWithUnit, pickColumns } from "../../api/columns/column.ts";
import { coverageList } from "../../api/columns/columns.ts";
import { joinOrigins } from "../../frames/origin/provenance.ts";
import { declareOptions, readOptions } from "../../show/options/read_options.ts";
import { formatCount } from "../../show/text/numbers.ts";
import type { Chart } from "../drawing/chart.ts";
import { palette } from "../drawing/theme.ts";
import { drawChart, type PlotOptions, plotOptions } from "../grammar/chart.ts";
import { buildFigureField, buildKindColor, mark, pixels, type Spec } from "../grammar/marks.ts";
import { readNumberColumn, readTextColumn, refusePlot, requireColumns } from "../grammar/read.ts";
import { clipText } from "../grammar/text.ts";
import {
  computeDistance,
  formatDistance,
  formatDistances,
  type LonLat,
  toPlace,
} from "./local_map.ts";
import { MapFrame } from "./map_frame.ts";
import { placeLabels } from "./map_labels.ts";
import { buildLines, buildMap, buildOutlineLayers, buildShapes } from "./map_layers.ts";
import { listGiven } from "../../show/text/lists.ts";

/** Coordinates and name of a turbine, for example from `turbineDetails()`. */
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

const PLOT = "the coverage map";

/** Properties of the projection. */
const AZIMUTHAL = "Azimuthal equidistant around the turbine: distances from it are true";

/** Difference of distances above which the search must have been around another place, km. */
const MAX_DISTANCE_DIFFERENCE = 1;

/** Most points that are joined to the turbine by lines. */
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
  /** Distance in the frame, from the requested place, km. */
  readonly distanceInFrame: number | null;
  readonly start: string | null;
  readonly updated: string | null;
}

function readTurbinePlace({ latitude, longitude }: MapTurbine): LonLat {
  const place = toPlace(longitude, latitude);
  if (place) return place;
  refusePlot(
    PLOT,
    `the turbine has no coordinates: latitude ${latitude}, longitude ` +
      `${longitude}. Give both in deg, as turbineDetails() does`,
  );
}

function readCoveragePoints(frame: DataFrame, turbine: LonLat): (CoveragePoint | undefined)[] {
  const latitudes = readNumberColumn(frame, latitudeColumn.name, PLOT);
  const distances = readNumberColumn(frame, distanceColumn.name, PLOT);
  const starts = readTextColumn(frame, startColumn.name);
  const updates = readTextColumn(frame, updatedColumn.name);
  return readNumberColumn(frame, longitudeColumn.name, PLOT).map((longitude, i) => {
    const place = toPlace(longitude, latitudes[i]);
    if (!place) return undefined;
    const km = computeDistance(turbine, place);
    return { place, km, distanceInFrame: distances[i], start: starts[i], updated: updates[i] };
  });
}

function buildPoints(data: readonly Spec[], names: readonly [string, string]): Spec {
  const colors = [palette.vermilion, palette.blue];
  return mark("point", {
    data,
    ...pixels,
    color: buildKindColor("what", names.map((name, i) => [name, colors[i]]), { columns: 2 }),
    shape: buildKindColor("what", [[names[0], "triangle-up"], [names[1], "circle"]], {
      columns: 2,
    }),
    filled: true,
    opacity: 1,
    size: 75,
    stroke: "white",
    strokeWidth: 1,
    tooltip: [
      { field: "what", title: "What", type: "nominal" },
      buildFigureField("latitude", labelWithUnit(latitudeColumn), ".3f"),
      buildFigureField("longitude", labelWithUnit(longitudeColumn), ".3f"),
      buildFigureField("km", labelWithUnit(distanceColumn), ".1f"),
      { field: "start", title: startColumn.label, type: "nominal" },
      { field: "updated", title: updatedColumn.label, type: "nominal" },
    ],
  });
}

const OPTIONS = declareOptions<PlotCoverageMapOptions>()("turbine!", {}, plotOptions);

/**
 * Plots the points with data that `coverage()` found around a turbine, with their distances. North is up at the turbine,
 * and distances from it are true: the map is an azimuthal equidistant projection, centred there.
 *
 * @param points Frame from `coverage()`
 * @param options The turbine (latitude and longitude in deg), title, source and size
 * @returns A chart that shows itself in notebooks
 * @throws {ArgumentError} If a column is missing, the turbine or all points have no coordinates, a point is further than
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
  const chosen = readOptions("plotCoverageMap()", options, OPTIONS);
  const { turbine } = chosen;
  requireColumns(points, [latitudeColumn.name, longitudeColumn.name], PLOT, "coverage()");
  const centre = readTurbinePlace(turbine);
  const all = readCoveragePoints(points, centre);
  const known = all.filter((point) => point !== undefined).sort((a, b) => a.km - b.km);
  if (known.length === 0) {
    refusePlot(
      PLOT,
      `no point (of ${all.length}) has a latitude of -90 to 90 deg and a longitude. Give a frame from coverage()`,
    );
  }
  const name = clipText(turbine.name || turbine.turbine_id || "the turbine", 40);
  const served = joinOrigins([chosen.source, points])[0]?.parameters.service_id;
  const dataset = clipText(String(served ?? ""), 40);
  const [first, last] = [known[0], known[known.length - 1]];
  const span = known.length === 1
    ? `${formatDistance(first.km)} away`
    : `${formatDistances(first.km, last.km)} away`;
  const count = `${formatCount(known.length, "point")}, ${span}`;
  const elsewhere = known.some(({ km, distanceInFrame }) =>
    distanceInFrame !== null && Math.abs(km - distanceInFrame) > MAX_DISTANCE_DIFFERENCE
  );
  return drawChart(
    PLOT,
    [points],
    chosen,
    (wide) => Math.round(wide * 0.7),
    ({ width, height, view }) => {
      const frame = new MapFrame(centre, known.map(({ place }) => place), width, height, PLOT);
      const toPixels = (place: LonLat) => frame.toPixels(frame.map.toPlane(place));
      const names = ["Turbine", "Point with data"] as const;
      const row = (what: string, place: LonLat, more: Spec) => {
        const [x, y] = toPixels(place);
        return { what, x, y, longitude: place[0], latitude: place[1], ...more };
      };
      const labels = placeLabels(
        known.map(({ place, km }) => ({ at: toPixels(place), texts: [formatDistance(km)] })),
        [toPixels(centre), ...frame.corners],
        { width, height, fontSize: 10 },
      ).filter((label) => label !== undefined);
      const outlines = buildOutlineLayers(frame);
      const spokes = known.length > MAX_SPOKES
        ? []
        : known.map(({ place }) => [toPixels(centre), toPixels(place)]);
      const notes = listGiven(
        known.length < all.length &&
          `${all.length - known.length} of ${all.length} points without coordinates left out`,
        labels.length < known.length &&
          `Not shown for lack of space: ${formatCount(known.length - labels.length, "distance")}`,
        elsewhere &&
          "Distances are from the turbine, but these points are near another place",
        ...outlines.notes,
      );
      return {
        title: `Points ${dataset ? `of ${dataset} ` : ""}around ${name}`,
        subtitle: [count],
        views: [view(buildMap(frame, outlines.layers, [
          ...buildShapes(buildLines(spokes), {
            filled: false,
            stroke: palette.faint,
            strokeWidth: 1,
            strokeDash: [2, 3],
          }),
          buildPoints([
            ...known.map(({ place, km, start, updated }) =>
              row(names[1], place, { km, start, updated })
            ),
            row(names[0], centre, { km: 0, start: null, updated: null }),
          ], names),
        ], labels))],
        notes: [...notes, AZIMUTHAL, ...outlines.source],
        alt: ["Map", [count, ...notes].join(". ")],
      };
    },
  );
}
