import type { InputFile } from "./input_files.ts";
import type { Position } from "./fields.ts";

/** A coordinate in the name of a file, its letter before or behind: `52.50N`, `W1.0`. */
const COORDINATE =
  /(?<![\d.a-z])(?:([NSEW])(-?\d+(?:\.\d+)?)|(-?\d+(?:\.\d+)?)_?([NSEW]))(?![a-z\d])/gi;

/** Guesses the point of a file by its name, such as `era5_52.50N_-1.00E.parquet` or `era5_N52.5_W1.csv`. */
export function guessPoint(path: string): Position | undefined {
  const found = [...path.split("/").at(-1)!.matchAll(COORDINATE)]
    .map(([, before, first, second, behind]) => {
      const letter = (before ?? behind).toUpperCase();
      const value = Number(first ?? second) * ("SW".includes(letter) ? -1 : 1);
      return { latitude: "NS".includes(letter), value };
    });
  if (found.length !== 2 || !found[0].latitude || found[1].latitude) return undefined;
  const [{ value: latitude }, { value: longitude }] = found;
  if (Math.abs(latitude) > 90 || Math.abs(longitude) > 180) return undefined;
  return { latitude, longitude };
}

/** Names of the columns of a point, with or without a unit. */
const NAMES = [/^lat(?:itude)?(?![a-z])/i, /^(?:lon|lng|long)(?:itude)?(?![a-z])/i] as const;

/** The point of a climate file. */
export interface ShownPoint {
  readonly point: Position;
  /** Where it stands. */
  readonly reason: string;
  /** Whether its content has it: a name may be rounded. */
  readonly isStated: boolean;
}

/** Bytes of a text above its table that may have its point, as exports of Open-Meteo have it. */
const HEAD_BYTES = 4096;

/** The point that values say; `undefined` where they are no coordinates. */
function toPosition(values: readonly (string | undefined)[]): Position | undefined {
  const [latitude, longitude] = values.map((value) => value?.trim() ? Number(value) : NaN);
  if (!(Math.abs(latitude) <= 90 && longitude >= -180 && longitude <= 360)) return undefined;
  return { latitude, longitude: longitude > 180 ? longitude - 360 : longitude };
}

/** The point in two lines of a text, names above values. */
async function readHead({ path, delimiter = "," }: InputFile): Promise<Position | undefined> {
  using file = await Deno.open(path);
  const bytes = new Uint8Array(HEAD_BYTES);
  const count = await file.read(bytes) ?? 0;
  const rows = new TextDecoder().decode(bytes.subarray(0, count)).split(/\r?\n/)
    .map((line) => line.split(delimiter).map((cell) => cell.replaceAll(/^"|"$/g, "")));
  for (const [i, row] of rows.entries()) {
    const places = NAMES.map((name) => row.findIndex((cell) => name.test(cell)));
    if (!places.includes(-1)) return toPosition(places.map((place) => rows[i + 1]?.[place]));
  }
}

/**
 * Finds the point of a climate file: in columns of latitude and longitude, in lines above the table, or in its name.
 *
 * @returns The point, and what shows it; `undefined` where nothing does
 */
export async function findPoint(file: InputFile): Promise<ShownPoint | undefined> {
  const columns = NAMES.map((name) =>
    file.columns.find((one) => one.cells === "numbers" && name.test(one.name))
  );
  if (columns.every((one) => one !== undefined)) {
    const point = toPosition(
      columns.map(({ first }) => new Set(first).size === 1 ? first[0] : undefined),
    );
    const names = columns.map(({ name }) => `"${name}"`).join(" and ");
    return point && { point, reason: `in its columns ${names}`, isStated: true };
  }
  const head = file.format === "csv" && !/\.gz$/i.test(file.path)
    ? await readHead(file)
    : undefined;
  if (head) return { point: head, reason: "in the lines above its table", isStated: true };
  const named = guessPoint(file.path);
  return named && { point: named, reason: "in the name of the file", isStated: false };
}
