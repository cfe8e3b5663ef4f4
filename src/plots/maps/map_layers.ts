import { fontSize, palette } from "../drawing/theme.ts";
import { buildHaloText, fixedMark, label, pixels, type Spec } from "../grammar/marks.ts";
import {
  clipLine,
  clipOutlines,
  clipRing,
  type Outlines,
  OUTLINES_SOURCE,
  type Point,
} from "./outlines.ts";
import { formatDegrees, formatDistance, type LonLat, wrapLongitude } from "./local_map.ts";
import type { MapFrame } from "./map_frame.ts";
import type { MapLabel } from "./map_labels.ts";

/** Candidate spacings of the lines, deg. */
const STEPS = [0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 15, 30];

/** Space for a label, pixels. */
const LABEL_WIDTH = 74;
const LABEL_HEIGHT = 60;

/** A line of equal longitude or latitude. */
interface GraticuleLine {
  /** Its points, pixels. */
  readonly line: readonly Point[];
  /** Its longitude or latitude, "7.5° E". */
  readonly label: string;
  /** Position of its label, pixels; missing if the line does not reach that edge. */
  readonly at?: Point;
}

function chooseStep(span: number, most: number): number {
  return STEPS.find((step) => span / step <= Math.max(2, most)) ?? STEPS[STEPS.length - 1];
}

function listMultiples(from: number, to: number, step: number): number[] {
  const first = Math.ceil(from / step);
  return Array.from(
    { length: Math.max(0, Math.floor(to / step) - first + 1) },
    (_, i) => (first + i) * step,
  );
}

/** The lines of equal longitude (labels below) and latitude (labels on the left) in a frame. */
function buildGraticule(
  frame: MapFrame,
): { meridians: GraticuleLine[]; parallels: GraticuleLine[] } {
  const box = frame.computeLonLatBox(0);
  const { left, right, low, high } = box;
  const lonStep = chooseStep(right - left, Math.floor(frame.width / LABEL_WIDTH));
  const latStep = chooseStep(high - low, Math.floor(frame.height / LABEL_HEIGHT));
  const decimals = (step: number) => Math.max(0, Math.ceil(-Math.log10(step)));
  const drawn = (label: string, edge: 0 | 1, at: (share: number) => LonLat): GraticuleLine[] => {
    const course = Array.from({ length: 41 }, (_, i) => frame.map.toPlane(at(i / 40)));
    return clipLine(course, frame.box).map((piece): GraticuleLine => {
      const line = piece.map((point) => frame.toPixels(point));
      const wanted = edge === 0 ? 0 : frame.height;
      const meets = line.find((point) => Math.abs(point[edge] - wanted) < 0.5);
      return { line, label, ...(meets && { at: meets }) };
    });
  };
  return {
    meridians: listMultiples(left, right, lonStep).flatMap((lon) =>
      drawn(formatDegrees(wrapLongitude(lon), "EW", decimals(lonStep)), 1, (share) => [
        lon,
        low + share * (high - low),
      ])
    ),
    parallels: listMultiples(low, high, latStep).flatMap((lat) =>
      drawn(
        formatDegrees(lat, "NS", decimals(latStep)),
        0,
        (share) => [left + share * (right - left), lat],
      )
    ),
  };
}

/** Colour of land: greyer and darker than the palest marks, so marks stand out. */
const LAND = "#d5dcd0";

/** Colour of the sea, and of the ground of a map without outlines, where land and sea are unknown. */
const SEA = "#f3f8fb";
const GROUND = "#f7f7f5";

/** Background of a map: sea, outlines, graticule and edge. */
function buildMapGround(frame: MapFrame, outlines: readonly Spec[]): Spec[] {
  const { width, height } = frame;
  const rectangle = (look: Spec) =>
    fixedMark("rect", { x: 0, y: 0, x2: width, y2: height, ...look });
  return [
    rectangle({ color: frame.hasOutlines ? SEA : GROUND }),
    ...outlines,
    ...buildGraticuleLayers(frame),
    rectangle({ filled: false, stroke: palette.faint, strokeWidth: 1 }),
  ];
}

/** Lines or areas that are already in pixels. */
export function buildShapes(geometries: readonly Spec[], mark: Spec): Spec[] {
  if (geometries.length === 0) return [];
  return [{
    data: {
      values: geometries.map((geometry) => ({ type: "Feature", properties: {}, geometry })),
    },
    // Already clipped: clip paths would need ids, which clash with other charts on a page.
    mark: { type: "geoshape", clip: false, tooltip: null, ...mark },
    projection: { type: "identity", scale: 1, translate: [0, 0] },
  }];
}

/** Lines as one shape; empty without a line. */
export function buildLines(coordinates: readonly (readonly Point[])[]): Spec[] {
  return coordinates.length === 0 ? [] : [{ type: "MultiLineString", coordinates }];
}

/** Removes points that are closer than `least` pixels to the previous point of a line. */
function simplifyLine(line: readonly Point[], least: number): Point[] {
  let last: Point | undefined;
  return line.filter((point, i) => {
    const far = last === undefined || Math.hypot(point[0] - last[0], point[1] - last[1]) >= least;
    if (far || i === line.length - 1) last = point;
    return last === point;
  });
}

/**
 * Finds the narrowest of some frames around one centre that has a coast or a border; else the widest.
 */
export function findOutlined(frames: readonly MapFrame[]): MapFrame {
  const widest = frames[frames.length - 1];
  const { coasts, borders } = clipOutlines(widest.computeLonLatBox(0.2));
  const lines = [...coasts, ...borders].map((line) =>
    line.map((place) => widest.map.toPlane(place))
  );
  return frames.find(({ box }) => lines.some((line) => clipLine(line, box).length > 0)) ?? widest;
}

/**
 * Land, coasts and borders in the frame, a note if there is no coast or border, and their source.
 *
 * @param least Length of the shortest step of a line, pixels: large maps have more detail than visible
 */
export function buildOutlineLayers(
  frame: MapFrame,
  least = 0,
): {
  readonly layers: Spec[];
  readonly notes: readonly string[];
  readonly source: readonly string[];
} {
  if (!frame.hasOutlines) {
    return {
      layers: [],
      source: [],
      notes: [
        "No coast or border is drawn: the outlines, 1:50 million, are too coarse for this map",
      ],
    };
  }
  const outlines = clipOutlines(frame.computeLonLatBox(0.2));
  const onPlane = (line: readonly Point[]) => line.map((place) => frame.map.toPlane(place));
  const land = outlines.land.map((ring) => clipRing(onPlane(ring), frame.box))
    .filter((ring) => ring.length > 2)
    .map((ring) => simplifyLine([...ring, ring[0]].map((point) => frame.toPixels(point)), least))
    .filter((ring) => ring.length > 3);
  const drawn = (all: Outlines["coasts"]) =>
    all.flatMap((line) => clipLine(onPlane(line), frame.box))
      .map((line) => simplifyLine(line.map((point) => frame.toPixels(point)), least))
      .filter((line) => line.length > 1);
  const [coasts, borders] = [drawn(outlines.coasts), drawn(outlines.borders)];
  const bare = coasts.length + borders.length === 0;
  return {
    layers: [
      ...buildShapes(
        land.length === 0 ? [] : [{ type: "Polygon", coordinates: land }],
        { fill: LAND, stroke: null },
      ),
      ...buildShapes(buildLines(borders), {
        filled: false,
        stroke: "#98927f",
        strokeWidth: 1,
        strokeDash: [4, 2],
      }),
      ...buildShapes(buildLines(coasts), { filled: false, stroke: "#6f6a5c", strokeWidth: 1 }),
    ],
    notes: bare
      ? [`No coast or border in the picture: it is all ${land.length > 0 ? "land" : "sea"}`]
      : [],
    source: [OUTLINES_SOURCE],
  };
}

/** Lines of equal longitude and latitude, with their labels outside of the edges. */
function buildGraticuleLayers(frame: MapFrame): Spec[] {
  const { meridians, parallels } = buildGraticule(frame);
  const placeDegrees = (all: readonly GraticuleLine[], dx: number, dy: number) =>
    all.flatMap(({ at, label }) => at ? [{ x: at[0] + dx, y: at[1] + dy, label }] : []);
  const texts = (data: Spec[], look: Spec) =>
    data.length === 0 ? [] : [
      label("label", { data, ...pixels, color: palette.text, fontSize: fontSize.caption, ...look }),
    ];
  return [
    ...buildShapes(buildLines([...meridians, ...parallels].map(({ line }) => line)), {
      filled: false,
      stroke: "#c9d3da",
      strokeWidth: 0.7,
    }),
    ...texts(placeDegrees(meridians, 0, 6), { align: "center", baseline: "top" }),
    ...texts(placeDegrees(parallels, -5, 0), { align: "right", baseline: "middle" }),
  ];
}

/** Look of the texts on a map. */
const LABELS = {
  align: "left",
  baseline: "middle",
  color: palette.black,
  fontSize: fontSize.axis,
};

/**
 * Scale bar at the lower left, north arrow at the upper right.
 *
 * @param where Place where the bar is true, such as ` at 33° N`
 */
function buildScaleAndNorth(frame: MapFrame, where: string): Spec[] {
  const { width, height, barLength, scale } = frame;
  const [x, y] = [12, height - 12];
  const bar = [[x, y - 4], [x, y], [x + barLength * scale, y], [x + barLength * scale, y - 4]];
  const length = formatDistance(barLength).replace(".0 ", " ");
  const north = [[width - 16, 30], [width - 16, 10], [width - 20, 17], [width - 16, 10], [
    width - 12,
    17,
  ]];
  const line = (coordinates: number[][]) =>
    buildShapes([{ type: "LineString", coordinates }], {
      filled: false,
      stroke: palette.black,
      strokeWidth: 1.5,
    });
  return [
    ...line(bar),
    ...line(north),
    ...buildHaloText([{ x: x + 4, y: y - 9, label: length + where }], LABELS),
    ...buildHaloText([{ x: width - 16, y: 38, label: "N" }], {
      ...LABELS,
      align: "center",
      fontSize: fontSize.subtitle,
      fontWeight: "bold",
    }),
  ];
}

/**
 * Builds the layers of a map.
 *
 * @param outlines Land, coasts and borders
 * @param layers Layers above them
 * @param labels Texts of the map
 * @param where Place where the scale is true, after its length
 */
export function buildMap(
  frame: MapFrame,
  outlines: readonly Spec[],
  layers: readonly Spec[],
  labels: readonly MapLabel[],
  where = "",
): Spec[] {
  return [
    ...buildMapGround(frame, outlines),
    ...layers,
    ...buildHaloText(labels.map((label) => ({ ...label })), LABELS),
    ...buildScaleAndNorth(frame, where),
  ];
}
