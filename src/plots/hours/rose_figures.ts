/** Names of sixteen directions, clockwise from north. */
const NAMES = [
  "N",
  "NNE",
  "NE",
  "ENE",
  "E",
  "ESE",
  "SE",
  "SSE",
  "S",
  "SSW",
  "SW",
  "WSW",
  "W",
  "WNW",
  "NW",
  "NNW",
];

/** Number of sectors of a wind rose. */
export type SectorCount = 12 | 16 | 36;

/** Numbers of sectors that a wind rose may have. */
export const SECTOR_COUNTS: readonly SectorCount[] = [12, 16, 36];

/** Position of the sector of a direction. The first is centred on north; a direction on a bound belongs to the next sector clockwise. */
export function findSector(direction: number, count: number): number {
  return Math.floor((direction * count / 360) + 0.5) % count;
}

/** Centre of a sector in words: "SW", or "210 deg" if the direction has no name. */
export function formatSector(sector: number, count: number): string {
  const degrees = sector * 360 / count;
  return degrees % 22.5 === 0 ? NAMES[degrees / 22.5] : `${degrees} deg`;
}

/** Directions around a rose. */
export function buildCompassLabels(
  count: number,
): { degrees: number; label: string; main: boolean }[] {
  const step = count === 16 ? 22.5 : 30;
  return Array.from({ length: 360 / step }, (_, i) => {
    const degrees = i * step;
    const main = degrees % 90 === 0;
    const named = main || count === 16;
    return { degrees, label: named ? NAMES[degrees / 22.5] : `${degrees}°`, main };
  });
}

/** Values of a wind rose, row by row; NaN is a missing value. */
interface RoseInput {
  /** Wind speeds, m/s. */
  readonly speeds: Float64Array;
  /** Directions that the wind comes from, deg clockwise from north. */
  readonly directions: Float64Array;
  /** Weight of each row. @default all equal */
  readonly weights?: Float64Array;
  /** Number of sectors. */
  readonly sectors: number;
  /** Bounds between the speed classes, m/s, ascending. */
  readonly bounds: readonly number[];
  /** Speed below which an hour counts as calm, m/s. */
  readonly calm: number;
}

/** Reasons to leave a row out of a wind rose. A calm needs no direction, because wind vanes do not turn then. */
export const LEFT_OUT = {
  speed: "without a wind speed",
  negative: "with a wind speed below 0",
  direction: "without a direction",
  outside: "with a direction outside 0 to 360 deg",
  weight: "without an energy",
} as const;

/** Shares of a wind rose (sectors, speed classes and calm add up to 1), and the numbers of rows counted and left out. */
export type RoseFigures = ReturnType<typeof computeRoseFigures>;

/** Why a row is left out, or `undefined` if it counts. */
function findReason(
  speed: number,
  direction: number,
  weight: number,
  calm: number,
): keyof typeof LEFT_OUT | undefined {
  if (Number.isNaN(speed)) return "speed";
  if (speed < 0) return "negative";
  if (Number.isNaN(weight)) return "weight";
  if (speed < calm) return undefined;
  if (Number.isNaN(direction)) return "direction";
  return direction < 0 || direction > 360 ? "outside" : undefined;
}

/** Computes the shares of sectors and speed classes. */
export function computeRoseFigures(
  { speeds, directions, weights, sectors, bounds, calm }: RoseInput,
) {
  const sums = Array.from({ length: sectors }, () => new Array<number>(bounds.length + 1).fill(0));
  const leftOut = { speed: 0, negative: 0, direction: 0, outside: 0, weight: 0 };
  let [total, calmSum, counted] = [0, 0, 0];
  for (let i = 0; i < speeds.length; i++) {
    const weight = weights ? weights[i] : 1;
    const why = findReason(speeds[i], directions[i], weight, calm);
    if (why) {
      leftOut[why]++;
      continue;
    }
    counted++;
    total += weight;
    if (speeds[i] < calm) {
      calmSum += weight;
      continue;
    }
    const above = bounds.findIndex((bound) => speeds[i] < bound);
    sums[findSector(directions[i], sectors)][above === -1 ? bounds.length : above] += weight;
  }
  const share = (sum: number) => total > 0 ? sum / total : 0;
  return {
    shares: sums.map((classes) => classes.map(share)),
    calm: share(calmSum),
    counted,
    leftOut,
  };
}
