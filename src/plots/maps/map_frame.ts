import { chooseRoundStep } from "../grammar/axes.ts";
import type { Box, Point } from "./outlines.ts";
import { type EastNorth, LocalMap, type LonLat, type Projection } from "./local_map.ts";
import { refusePlot } from "../grammar/read.ts";

/** Default minimum width of a map, km: a smaller map shows the digits of coordinates instead of the place. */
const MIN_MAP_WIDTH = 0.5;

/** Width below which outlines of 1:50 million are visibly wrong, km. */
const MIN_OUTLINE_WIDTH = 50;

/** Greatest distance from the centre, km: beyond it the edges of the map would be too distorted. */
const MAX_DISTANCE = 3000;

/** Share of the map left free around the outermost points. */
const MARGIN = 0.18;

/** Options of a {@linkcode MapFrame}. */
interface MapFrameOptions {
  /** Minimum width, km. @default {0.5} */
  readonly minWidth?: number | undefined;
  /** Projection for places too far apart for a local one; with it, no place is too far away. @default around the centre */
  readonly projection?: Projection | undefined;
}

/** The visible rectangle of a map, and its scale. */
export class MapFrame {
  /** The projection. */
  readonly map: Projection;
  /** Visible area, km to the east and north of the centre. */
  readonly box: Box;
  /** Width, pixels. */
  readonly width: number;
  /** Height, pixels. */
  readonly height: number;

  /**
   * Makes a frame that contains all places and has the proportions of the picture.
   *
   * @throws {ArgumentError} If a place is too far away, or the frame would reach a pole
   */
  constructor(
    centre: LonLat,
    places: readonly LonLat[],
    width: number,
    height: number,
    plot: string,
    { minWidth = MIN_MAP_WIDTH, projection }: MapFrameOptions = {},
  ) {
    this.map = projection ?? new LocalMap(centre);
    this.width = width;
    this.height = height;
    const points = [centre, ...places].map((place) => this.map.toPlane(place));
    const far = Math.max(...points.map(([x, y]) => Math.hypot(x, y)));
    if (!projection && far > MAX_DISTANCE) {
      refusePlot(
        plot,
        `a point is ${Math.round(far)} km from the turbine, more than ` +
          `${MAX_DISTANCE} km. Check for swapped or wrong coordinates, or remove the point`,
      );
    }
    const [xs, ys] = [points.map(([x]) => x), points.map(([, y]) => y)];
    const span = (values: number[]) => Math.max(...values) - Math.min(...values);
    const middle = (values: number[]) => (Math.max(...values) + Math.min(...values)) / 2;
    const room = 1 - 2 * MARGIN;
    const kmPixel = Math.max(minWidth / width, span(xs) / room / width, span(ys) / room / height);
    const [east, north] = [kmPixel * width / 2, kmPixel * height / 2];
    this.box = {
      left: middle(xs) - east,
      right: middle(xs) + east,
      low: middle(ys) - north,
      high: middle(ys) + north,
    };
    if (projection) return;
    if (
      Math.max(...this.#sampleBorder().map(([, lat]) => Math.abs(lat))) > 85 || this.#containsPole()
    ) {
      refusePlot(
        plot,
        `the map would reach a pole, where north is not up. Plot points closer together, or further from the pole`,
      );
    }
  }

  #containsPole(): boolean {
    const { left, right, low, high } = this.box;
    return [90, -90].map((lat) => this.map.toPlane([0, lat]))
      .some(([x, y]) => x > left && x < right && y > low && y < high);
  }

  /** Places along the border. */
  #sampleBorder(): LonLat[] {
    const { left, right, low, high } = this.box;
    return Array.from({ length: 21 }, (_, i) => {
      const [x, y] = [left + (right - left) * i / 20, low + (high - low) * i / 20];
      return [[x, low], [x, high], [left, y], [right, y]] as EastNorth[];
    }).flat().map((point) => this.map.toPlace(point));
  }

  /** Range of longitudes and latitudes of the frame, deg, widened on each side by the share `spare`. */
  computeLonLatBox(spare: number): Box {
    const border = this.#sampleBorder();
    const [lons, lats] = [border.map(([lon]) => lon), border.map(([, lat]) => lat)];
    const [left, right] = [Math.min(...lons), Math.max(...lons)];
    const [low, high] = [Math.min(...lats), Math.max(...lats)];
    return {
      left: left - spare * (right - left),
      right: right + spare * (right - left),
      low: Math.max(-90, low - spare * (high - low)),
      high: Math.min(90, high + spare * (high - low)),
    };
  }

  /** Position of a point of the plane in the picture, pixels from its upper left corner. */
  toPixels([east, north]: EastNorth): Point {
    const { left, right, low, high } = this.box;
    return [
      Math.round((east - left) / (right - left) * this.width * 100) / 100,
      Math.round((high - north) / (high - low) * this.height * 100) / 100,
    ];
  }

  /** Positions of the scale bar and the north arrow, which labels avoid, pixels. */
  get corners(): readonly Point[] {
    const { width, height } = this;
    const end = 12 + this.barLength * this.scale;
    const bar = Array.from({ length: Math.ceil(end / 12) }, (_, i) => Math.min(end, 12 + 12 * i));
    return [
      ...bar.map((x): Point => [x, height - 18]),
      [width - 16, 20],
      [width - 16, 36],
    ];
  }

  /** Pixels per kilometre. */
  get scale(): number {
    return this.width / (this.box.right - this.box.left);
  }

  /** Whether the map is wide enough for outlines of 1:50 million. */
  get hasOutlines(): boolean {
    return this.box.right - this.box.left >= MIN_OUTLINE_WIDTH;
  }

  /** Length of the scale bar, km: a round number, at most a quarter of the width. */
  get barLength(): number {
    const quarter = (this.box.right - this.box.left) / 4;
    const step = chooseRoundStep(quarter, 1);
    return step <= quarter ? step : [2, 2.5].map((share) => step / share)
      .find((length) => length <= quarter) ?? step / 5;
  }
}
