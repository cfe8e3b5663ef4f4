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

/** Position of the sector of a direction. The first is centred on north; a bound belongs to the sector clockwise of it. */
export function findSector(direction: number, count: number): number {
  return Math.floor((direction * count / 360) + 0.5) % count;
}

/** Centre of a sector in words: "SW", or "210 deg" if the direction has no name. */
export function formatSector(sector: number, count: number): string {
  const degrees = sector * 360 / count;
  return degrees % 22.5 === 0 ? NAMES[degrees / 22.5] : `${degrees} deg`;
}

/** Directions written around a rose. */
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
