import { clipLine, type Point } from "./clip.ts";
import { formatDegrees } from "./degrees.ts";
import { type LonLat, wrapLongitude } from "./local_map.ts";
import type { MapFrame } from "./map_frame.ts";

/** Distances of the lines, deg. */
const STEPS = [0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 15, 30];

/** Space for a label, pixels. */
const LABEL_WIDTH = 74;
const LABEL_HEIGHT = 60;

/** A line of equal longitude or latitude. */
export interface GraticuleLine {
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
export function buildGraticule(
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
      return { line, label, ...(meets ? { at: meets } : {}) };
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
